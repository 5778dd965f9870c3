export function parse(text) {
  return text.split('\n').map((line) => line.split(','));
}
