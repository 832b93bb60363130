export function Library() {
  return <section class="library" aria-label="Library" />;
}
