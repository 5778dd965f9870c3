export const LEGAL_ORACLE = 'legal-oracle';
