// How figures are written in tables; a figure that does not exist is a dash.

const NONE = '-';

/** 0.635 → `.635`, 1 → `1.000`. */
export function formatRatio(value: number | null, digits = 3): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  return value.toFixed(digits).replace(/^(-?)0\./, '$1.');
}

/** Tokens in thousands: 281,400 → `281K`; 1,204,000 → `1.20M`. */
export function formatTokens(value: number): string {
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(2)}M`;
  return value >= 10_000 ? `${Math.round(value / 1000)}K` : `${(value / 1000).toFixed(1)}K`;
}

/** Dollars with as many digits as say something. */
export function formatDollars(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 1 ? 2 : 4);
}

/** A mean count: whole from 10 on, one digit below. */
export function formatCount(value: number): string {
  return Number.isInteger(value) || value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}
