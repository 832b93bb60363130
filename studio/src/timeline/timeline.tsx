export function Timeline() {
  return <section class="timeline" aria-label="Timeline" />;
}
