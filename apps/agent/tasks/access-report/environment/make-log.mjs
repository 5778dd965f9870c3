// A day of requests, the same each time.
let state = 7;
const next = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const paths = ['/', '/cart', '/login', '/orders', '/search'];
for (let line = 0; line < 6_000; line++) {
  const time = new Date(Date.UTC(2026, 0, 5) + line * 14_000).toISOString();
  const status = next(40) === 0 ? 500 + next(4) : next(12) === 0 ? 404 : 200;
  console.log(`${time} GET ${paths[next(paths.length)]} ${status} ${next(90_000) / 100}ms`);
}
