// A reporter for `node --test`: a line for each skipped test, with the reason, a tab and the test. `cargo xtask test` counts
// them at the end.
import { basename } from 'node:path';

export default async function* skips(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' || !data.skip) continue;
    const reason = String(data.skip).replace(/^skipped: /, '');
    yield `${reason}\t${basename(data.file ?? '')}::${data.name}\n`;
  }
}
