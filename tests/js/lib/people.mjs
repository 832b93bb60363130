// Images of people: the built-in character in different looks and stances, rendered in a room.
import { openStage } from './browser.mjs';
import { avatarFile, beneath, characterFolder } from './sheets.mjs';

/** Different people: a seed and options of `vivant mannequin`. */
const LOOKS = {
  plain: [0], slight: [0, '--build', '-1', '--hair-style', 'bob'], broad: [3, '--build', '1', '--hair-style', 'short', '--skin', 'brown'],
  curls: [11, '--build', '0.5', '--hair-style', 'curls', '--skin', 'deep', '--top', 'cream'],
  bun: [7, '--build', '-0.5', '--hair-style', 'bun', '--skin', 'porcelain', '--top', '#222222'],
};
export const NAMES = Object.keys(LOOKS);

/** Views: whole body, a camera on a desk, and too close. */
export const WHOLE = { at: [0, 0.92, 0], height: 2.15, pitch: 4.8, field: 36 };
export const DESK = { at: [0, 1.28, 0], height: 1.1, pitch: 5, field: 42 };
export const PORTRAIT = { at: [0, 1.53, 0], height: 0.62, field: 42 };

/**
 * Opens a renderer: `photo(cast, view, width, height, sign)` returns a JPEG, where `cast` is a list of
 * {look, stance, gesture, turn, at}. `stances` are those of the body; `gesture` is a clip name and a time in seconds.
 */
export async function openPhotographer() {
  const stage = await openStage(), character = characterFolder();
  const stances = character.repertoire.stances.filter(({ clip, layers }) => clip && layers?.includes('arms'));
  const once = new Map(), remember = (key, make) => once.get(key) ?? once.set(key, make()).get(key);
  const share = path => remember(path, () => stage.share(path));
  const avatar = look => remember(look, () => stage.share(avatarFile(...LOOKS[look])));
  const gestures = character.repertoire.stances.flatMap(({ gestures = [] }) => gestures);
  const doing = (name, time) => ({ url: share(character.clip(gestures.find(({ clip }) => clip.endsWith(`/${name}.vrma`)))), time });
  const motions = (stance, gesture) => [...beneath(character, share, stances.find(({ name }) => name === stance)), ...gesture ? [doing(...gesture)] : []];
  const photo = async (cast, view, width, height, sign) => {
    const roles = cast.map(({ look, stance, gesture, turn = 0, at = [0, 0, 0] }) => ({ avatar: avatar(look), motions: motions(stance, gesture), turn, at }));
    return Buffer.from(await stage.run('photo', { cast: roles, view, width, height, sign }), 'base64');
  };
  return { photo, stances: stances.map(({ name }) => name), faults: stage.faults, close: stage.close };
}
