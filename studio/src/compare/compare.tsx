export function Compare() {
  return <section class="side" aria-label="Compare" />;
}
