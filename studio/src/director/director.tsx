export function Director() {
  return <section class="side" aria-label="Director" />;
}
