export function Graph() {
  return <section class="graph" aria-label="Graph" />;
}
