// Part of checker.
export const isShort = (text) => text.length < 80;
