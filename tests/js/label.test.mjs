// End-to-end tests of the label view in a browser with a real server and a synthetic video.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openBrowser, withoutBrowser } from './lib/browser.mjs';
import { shot, unnamed, until, walk } from './lib/studio.mjs';
import { files, fresh, labelling, skipped } from './lib/vivant.mjs';

const options = { skip: withoutBrowser, timeout: 480_000 };
const real = { ...options, skip: withoutBrowser || skipped };
const DESK = { width: 1280, height: 800 };

/** Opens the label view. Server and browser are closed after the test. */
async function openLabels(t, film = ['--synthetic', '--seed', '5']) {
  const path = fresh('labels.json'), server = await labelling(...film, '-o', path);
  const { browser, page, faults } = await openBrowser();
  t.after(async () => {
    await browser.close();
    await server.stop();
  });
  await page.setViewportSize(DESK);
  const open = async () => {
    await page.goto(server.url);
    await page.waitForSelector('html[data-ready=true]', { state: 'attached', timeout: 60_000 });
  };
  await open();
  // The file does not exist before the first change.
  const labels = () => existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { frames: [], gaze: [] };
  return { page, faults, open, labels };
}

const button = (page, name) => page.getByRole('button', { name, exact: true });
const point = (page, name) => page.getByRole('button', { name: new RegExp(`^${name}, at`) });
const isSaved = page => page.getByText('All changes are saved').waitFor();
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };
/** Goes to a frame without waiting for its image. */
const jump = async (page, frame) => {
  await page.getByRole('spinbutton', { name: 'Frame number' }).fill(String(frame));
  await press(page, 'Enter');
  await page.evaluate(() => document.activeElement.blur());
};
const goTo = async (page, frame) => {
  await jump(page, frame);
  await page.getByRole('img', { name: `Frame ${frame} of` }).waitFor();
};

/** Closes the message of the view, if there is one. */
const quiet = async page => {
  const close = page.locator('.notice').getByRole('button', { name: 'Close' });
  if (await close.count()) await close.click();
};

/** Saves labels through the API, as another program would, and reloads the view. */
async function withLabels({ page, open }, change) {
  await page.evaluate(async change => {
    const { revision, labels } = await fetch('/api/labels').then(answer => answer.json());
    await fetch(`/api/labels?revision=${revision}`, { method: 'PUT', body: JSON.stringify({ ...labels, ...change }) });
  }, change);
  await open();
}

/** Plausible points of two eyes. */
function eyes(x, y, size = 100) {
  const eye = [[0, 0], [0.25, -0.16], [0.5, -0.2], [0.75, -0.14], [1, 0], [0.75, 0.1], [0.5, 0.14], [0.25, 0.1], [0.5, -0.03]];
  const of = (from, hand) => eye.map(([along, down]) => [from + hand * along * size, y + down * size]);
  return [...of(x, 1), ...of(512 - x, -1)];
}

test('points are placed, dragged, moved by keys, undone and saved; everything is kept after a reload', options, async t => {
  const view = await openLabels(t), { page, faults } = view;
  await page.getByText('0 of about 20 frames labelled').waitFor();
  await button(page, 'Place by hand').click();
  await until('it is saved', () => view.labels().frames.length === 1, 10);
  const frame = view.labels().frames[0].frame;
  assert.equal(view.labels().frames[0].guessed, true, 'unconfirmed points are a proposal');

  const at = index => view.labels().frames[0].points[index];
  await t.test('a point follows the pointer', async () => {
    const dot = point(page, 'Right eye, outer corner').locator('.dot');
    await dot.hover();
    const before = at(0), { x, y, width, height } = await dot.boundingBox();
    const scale = Number((await page.getByRole('status', { name: 'Zoom' }).innerText()).replace(' %', '')) / 100;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 - 40, y + height / 2 + 24, { steps: 5 });
    await page.mouse.up();
    await until('it is saved', () => at(0)[0] !== before[0], 5);
    await isSaved(page);
    const [dx, dy] = [at(0)[0] - before[0], at(0)[1] - before[1]];
    assert.ok(Math.abs(dx + 40 / scale) < 1 && Math.abs(dy - 24 / scale) < 1, `${dx}, ${dy} at ${scale}`);
  });

  await t.test('a drag is undone and redone as one step', async () => {
    const moved = at(0);
    await press(page, 'Control+z');
    await until('it is back', () => at(0)[0] !== moved[0], 5);
    await press(page, 'Control+Shift+z');
    await until('it is there again', () => at(0)[0] === moved[0], 5);
  });

  await t.test('Tab selects points, arrows move them by one pixel, ten, a tenth', async () => {
    await point(page, 'Right eye, outer corner').focus();
    await press(page, 'Tab');
    const name = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.match(name, /^Right eye, upper lid, outer/);
    const [x, y] = at(1);
    await press(page, 'ArrowRight', 'Shift+ArrowDown', 'Alt+ArrowLeft');
    await until('it moved', () => Math.abs(at(1)[0] - x - 0.9) < 0.011 && Math.abs(at(1)[1] - y - 10) < 0.011, 5);
    await press(page, 'Shift+Tab');
    assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /outer corner/);
  });

  await t.test('S closes the eyes, and M mirrors the selected one', async () => {
    await press(page, 's');
    await until('lids meet', () => at(2)[1] === at(6)[1] && at(11)[1] === at(15)[1], 5);
    await press(page, 'Control+z', 'm');
    await until('the other eye is open too', () => Math.abs(at(11)[1] - at(15)[1]) > 3, 5);
  });

  await t.test('Enter adds the frame', async () => {
    await press(page, 'Enter');
    await page.getByText('1 of about 20 frames labelled').waitFor();
    await until('it is labelled', () => !view.labels().frames[0].guessed, 5);
    const [x] = at(0);
    await point(page, 'Right eye, outer corner').focus();
    await press(page, 'ArrowLeft');
    await until('it moved', () => at(0)[0] < x, 5);
    assert.ok(!view.labels().frames[0].guessed, 'a labelled frame stays labelled after a correction');
  });

  await t.test('everything is kept after a reload', async () => {
    await isSaved(page);
    const before = view.labels();
    await view.open();
    await page.getByText('1 of about 20 frames labelled').waitFor();
    assert.equal(await page.getByRole('spinbutton', { name: 'Frame number' }).inputValue(), String(frame));
    await point(page, 'Left eye, iris').waitFor();
    assert.deepEqual(view.labels(), before);
  });

  await t.test('points are copied to another frame', async () => {
    await goTo(page, frame + 7);
    await press(page, 'c');
    await until('it has the points', () => view.labels().frames.length === 2, 5);
    assert.deepEqual(view.labels().frames[1].points, view.labels().frames[0].points);
    await press(page, 'Delete');
    await until('they are removed', () => view.labels().frames.length === 1, 5);
  });
  assert.deepEqual(faults, []);
});

test('all controls have names, show their focus, and can be reached by keyboard', options, async t => {
  const { page, faults } = await openLabels(t);
  await button(page, 'Place by hand').click();
  assert.deepEqual(await unnamed(page), []);
  await button(page, 'Gaze').click();
  assert.deepEqual(await unnamed(page), []);
  const { bare, count } = await walk(page, 90);
  assert.ok(count > 15, `${count} stops`);
  assert.deepEqual(bare, []);
  assert.deepEqual(faults, []);
});

test('the image is zoomed at the pointer, panned, and fitted to the eyes', options, async t => {
  const { page, faults } = await openLabels(t);
  const zoom = async () => parseFloat(await page.getByRole('status', { name: 'Zoom' }).innerText());
  const first = await zoom();
  await page.mouse.move(400, 300);
  await page.mouse.wheel(0, -600);
  await until('it is larger', async () => await zoom() > 1.5 * first, 5);
  await press(page, '0');
  await until('the whole frame is shown', async () => Math.abs(await zoom() - first) <= 1, 5);
  await button(page, 'Place by hand').click();
  await press(page, 'e');
  await until('the eyes are large', async () => await zoom() > 1.2 * first, 5);
  const image = page.getByRole('img', { name: /^Frame/ }), before = await image.boundingBox();
  await page.mouse.move(300, 120);
  await page.mouse.down();
  await page.mouse.move(260, 150, { steps: 3 });
  await page.mouse.up();
  const after = await image.boundingBox();
  assert.ok(Math.abs(after.x - before.x + 40) < 2 && Math.abs(after.y - before.y - 30) < 2, 'it is panned');
  assert.deepEqual(faults, []);
});

test('gaze keys are set by rotating the eyeball, and hold until the next key', options, async t => {
  const view = await openLabels(t), { page, faults } = view, gaze = () => view.labels().gaze;
  await withLabels(view, { frames: [0, 10, 20].map(frame => ({ frame, secs: frame / 30, points: eyes(90, 190) })) });
  await press(page, '2');
  await goTo(page, 10);
  const ball = await page.getByRole('slider', { name: 'Gaze', exact: true }).boundingBox();
  await page.mouse.move(ball.x + ball.width / 2, ball.y + ball.height / 2);
  await page.mouse.down();
  await page.mouse.move(ball.x + ball.width / 2 + 30, ball.y + ball.height / 2 - 15, { steps: 4 });
  await page.mouse.up();
  await until('there is a key with the full rotation', () => gaze()[0]?.yawDeg > 8 && gaze()[0].pitchDeg > 4, 5);
  assert.deepEqual(gaze().map(({ frame }) => frame), [10]);
  await isSaved(page);

  await t.test('arrow keys rotate it; right in the image is the person\'s left', async () => {
    await goTo(page, 20);
    const [{ yawDeg, pitchDeg }] = gaze();
    await press(page, 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown');
    await until('there is a second key', () => gaze().length === 2, 5);
    await isSaved(page);
    assert.ok(Math.abs(gaze()[1].yawDeg - yawDeg - 2) < 0.06 && Math.abs(gaze()[1].pitchDeg - pitchDeg + 5) < 0.06, JSON.stringify(gaze()));
  });

  await t.test('gaze is proposed from the iris', async () => {
    const [mine] = gaze();
    await press(page, 'p');
    await until('it is a proposal', () => gaze()[1].guessed, 5);
    // The iris has the same position as at the key set by hand, so the gaze is similar.
    assert.ok(degreesApart(gaze()[1], mine) < 5, JSON.stringify(gaze()));
    await page.getByText('Proposed. Correct it').waitFor();
    await press(page, 'k');
    await until('it is confirmed', () => !gaze()[1].guessed, 5);
    await press(page, '[');
    await page.getByRole('heading', { name: 'Gaze from frame 10 on' }).waitFor();
    await press(page, 'Delete');
    await until('one key is left', () => gaze().length === 1, 5);
  });
  assert.deepEqual(faults, []);
});

/** Gaze direction as a vector; and the angle between two in degrees. */
const towards = ({ yawDeg, pitchDeg }) => {
  const [yaw, pitch] = [yawDeg, pitchDeg].map(deg => deg * Math.PI / 180);
  return [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
};
const degreesApart = (a, b) => {
  const [[x, y, z], [u, v, w]] = [towards(a), towards(b)];
  return Math.acos(Math.min(1, x * u + y * v + z * w)) * 180 / Math.PI;
};
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
/** Reproducible error of up to `most`. */
const tremble = (most, seed) => most * Math.sin(12.9898 * seed + 4.1414 * seed * seed);

for (const seed of [5, 11]) {
  test(`gaze proposed from the iris is close to the truth, and closer after six keys by hand (video ${seed})`, options, async t => {
    const view = await openLabels(t, ['--synthetic', '--seed', String(seed)]), { page, faults } = view;
    const numbers = Array.from({ length: 48 }, (_, i) => 12 * i + 3);
    const truths = await page.evaluate(all => Promise.all(all.map(number => fetch(`/api/truth/${number}`).then(answer => answer.json()))), numbers);
    // Points with errors of up to a pixel, in an eye of 100 pixels.
    const frames = numbers.map((frame, i) => ({ frame, secs: frame / 30, points: truths[i].points.map(([x, y], k) => [x + tremble(1, 7 * i + k), y + tremble(1, 5 * i - k)]) }));
    const isOpen = ({ points: p }) => [0, 9].every(eye => p[eye + 6][1] - p[eye + 2][1] > 15);
    const asked = numbers.map((frame, i) => ({ frame, truth: truths[i] })).filter(({ truth }) => isOpen(truth));
    const range = axis => Math.max(...asked.map(({ truth }) => truth[axis])) - Math.min(...asked.map(({ truth }) => truth[axis]));
    assert.ok(asked.length > 25 && range('yawDeg') > 20 && range('pitchDeg') > 10, 'the gaze varies');
    const errors = async gaze => {
      await withLabels(view, { frames, gaze });
      await press(page, '2');
      const mine = new Set(gaze.map(({ frame }) => frame)), rest = asked.filter(({ frame }) => !mine.has(frame));
      for (const { frame } of rest) {
        await jump(page, frame);
        await press(page, 'p');
      }
      const keys = () => view.labels().gaze.filter(({ guessed }) => guessed);
      await until('all is proposed', () => keys().length === rest.length, 20);
      await isSaved(page);
      const off = rest.map(({ frame, truth }) => degreesApart(keys().find(key => key.frame === frame), truth));
      return [quantile(off, 0.5), quantile(off, 0.95)];
    };
    const plain = await errors([]);
    // Keys with errors of up to 1.5°.
    const six = asked.filter((_, i) => i % Math.ceil(asked.length / 6) === 0);
    const learned = await errors(six.map(({ frame, truth }, i) => ({ frame, secs: frame / 30, yawDeg: truth.yawDeg + tremble(1.5, i + 1), pitchDeg: truth.pitchDeg + tremble(1.5, i + 50) })));
    t.diagnostic(`degrees off, median and 95 %: ${plain.map(it => it.toFixed(1))} by anatomy, ${learned.map(it => it.toFixed(1))} after ${six.length} keys`);
    assert.ok(plain[0] < 4 && plain[1] < 8, `by anatomy ${plain}`);
    assert.ok(learned[0] < 2 && learned[1] < 4 && learned[0] < plain[0], `after keys ${learned}`);
    assert.deepEqual(faults, []);
  });
}

test('the model guesses unlabelled frames and shows its confidence', options, async t => {
  const view = await openLabels(t), { page, faults } = view;
  const frameOf = number => view.labels().frames.find(({ frame }) => frame === number);
  const suggested = await page.evaluate(() => fetch('/api/suggestions').then(answer => answer.json()));
  for (const number of suggested.slice(0, 6)) {
    await goTo(page, number);
    await button(page, 'Show true points').click();
    await point(page, 'Right eye, iris').waitFor();
    await press(page, 'Enter');
    await until('it is added', () => frameOf(number) && !frameOf(number).guessed, 10);
  }
  const next = suggested[0] + 2;
  await goTo(page, next);
  await press(page, 'g');
  await page.getByText(/guess from 6 frames/).waitFor({ timeout: 120_000 });
  await until('it is a proposal', () => frameOf(next)?.guessed, 10);
  const truth = await page.evaluate(number => fetch(`/api/truth/${number}`).then(answer => answer.json()).then(({ points }) => points), next);
  const off = truth.reduce((sum, [x, y], i) => sum + Math.hypot(x - frameOf(next).points[i][0], y - frameOf(next).points[i][1]), 0) / 18;
  t.diagnostic(`from 6 frames, the guess is ${off.toFixed(2)} px off in an eye of 100 px`);
  assert.ok(off < 4, `${off} px`);
  await quiet(page);
  await shot(page, 'label');

  await t.test('on a labelled frame it shows the error', async () => {
    await goTo(page, suggested[1]);
    await press(page, 'g');
    await page.getByText(/px from your points, on average\. Use guess/).waitFor({ timeout: 120_000 });
    assert.ok(!frameOf(suggested[1]).guessed, 'labelled points stay');
  });

  await t.test('gaze is shown over the video', async () => {
    await press(page, '2');
    for (const number of [suggested[0], suggested[3]]) {
      await goTo(page, number);
      await press(page, 'p');
    }
    await until('there are keys', () => view.labels().gaze.length === 2, 10);
    await page.getByRole('slider', { name: 'Gaze, over the video' }).waitFor();
    await quiet(page);
    await shot(page, 'label-gaze');
  });
  assert.deepEqual(faults, []);
});

test('changes by another window are not lost', options, async t => {
  const view = await openLabels(t), { page } = view;
  await page.evaluate(async points => {
    const { revision, labels } = await fetch('/api/labels').then(answer => answer.json());
    await fetch(`/api/labels?revision=${revision}`, { method: 'PUT', body: JSON.stringify({ ...labels, frames: [{ frame: 3, secs: 0.1, points }] }) });
  }, eyes(90, 190));
  await button(page, 'Place by hand').click();
  await page.getByText(/changed in another window/).waitFor();
  assert.deepEqual(view.labels().frames.map(({ frame }) => frame), [3]);
});

test('on a real video the face finder proposes points, and the model guesses after three frames', real, async t => {
  const film = files('face', '.mp4').find(path => path.includes('cap12')) ?? files('face', '.mp4')[0];
  if (!film) return t.skip('the data has no video');
  const view = await openLabels(t, [film]), { page, faults } = view;
  const isIdle = () => until('it is done', async () => await page.locator('.notice .busy').count() === 0, 120);
  for (const frame of [10, 500, 700]) {
    await goTo(page, frame);
    await press(page, 'f');
    await until('the face is found', () => point(page, 'Right eye, iris').count(), 90);
    await press(page, 'Enter');
    await until('it is added', () => view.labels().frames.some(it => it.frame === frame && !it.guessed), 10);
  }
  const [[right], [left]] = [0, 9].map(from => view.labels().frames[0].points.slice(from, from + 9)).map(eye => [eye[0][0]]).map(x => [x]);
  assert.ok(Number(right) < Number(left), "the person's right eye is on the left of the image");
  await goTo(page, 505);
  await press(page, 'g');
  await isIdle();
  await page.getByText(/guess from 3 frames/).waitFor({ timeout: 60_000 });
  await until('it is saved', () => view.labels().frames.some(({ frame }) => frame === 505), 10);
  const [near, guess] = [500, 505].map(number => view.labels().frames.find(({ frame }) => frame === number).points);
  const apart = near.reduce((sum, [x, y], i) => sum + Math.hypot(x - guess[i][0], y - guess[i][1]), 0) / 18;
  assert.ok(apart < 6, `the points moved by ${apart.toFixed(1)} px within a fifth of a second`);
  assert.deepEqual(faults, []);
});
