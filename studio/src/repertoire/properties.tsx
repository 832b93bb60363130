export function Properties() {
  return <section class="side" aria-label="Properties" />;
}
