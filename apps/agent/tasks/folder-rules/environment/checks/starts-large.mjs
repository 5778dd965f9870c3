// Part of checker.
export const startsLarge = (text) => /^\p{Lu}/u.test(text);
