// The person detection of the studio, without the studio.
import { openBrowser } from './browser.mjs';
import { live } from './vivant.mjs';

/** Repetitions of each image and their interval, because the finder tracks a body over several images. */
const TIMES = 2, APART_MS = 150;

/** Opens the finder in an empty page. `find` returns the points of an image; `asked` are all requested URLs. */
export async function openFinder(t) {
  const server = await live(), { browser, page, faults } = await openBrowser(), asked = [];
  t.after(async () => {
    await browser.close();
    await server.stop();
  });
  page.context().on('request', request => asked.push(new URL(request.url())));
  await page.route('**/favicon.ico', route => route.fulfill({ status: 204 }));
  await page.goto(new URL('/api', server.url).href);
  await page.evaluate(() => {
    const worker = new Worker('/person.js');
    let id = 0, milliseconds = 0;
    const answer = picture => new Promise((seen, failed) => {
      worker.onmessage = ({ data }) => data.seen ? seen(data.seen) : failed(new Error(data.fault));
      worker.onerror = event => failed(new Error(event.message));
      worker.postMessage({ id: ++id, picture, milliseconds }, [picture]);
    });
    window.find = async (jpeg, times, apart) => {
      const blob = await fetch(`data:image/jpeg;base64,${jpeg}`).then(it => it.blob());
      let seen;
      for (let i = 0; i < times; i++) {
        milliseconds += apart;
        seen = await answer(await createImageBitmap(blob));
      }
      return { time: milliseconds / 1000, ...seen };
    };
  });
  const find = jpeg => page.evaluate(([jpeg, times, apart]) => window.find(jpeg, times, apart), [jpeg.toString('base64'), TIMES, APART_MS]);
  return { find, faults, asked, origin: new URL(server.url).origin };
}
