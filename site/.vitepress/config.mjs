// The documentation site: builds the Markdown pages of docs/ into target/site. `cargo xtask site` runs it.
import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { defineConfig } from 'vitepress';

const root = resolve(import.meta.dirname, '../..');
const docs = resolve(root, 'docs');
/** Address of the repository, if it is public: links to files outside of docs/ lead there. Without it they are plain text. */
const repository = process.env.VIVANT_REPOSITORY;

const page = (text, link) => ({ text, link });

const sections = [
  {
    text: 'Get started',
    items: [
      page('Five minutes', '/start/'),
      page('For developers', '/start/developer'),
      page('For animators', '/start/animator'),
      page('For researchers', '/start/researcher'),
    ],
  },
  {
    text: 'Guides',
    items: [
      page('The studio', '/guides/studio'),
      page('Use your own avatar', '/guides/avatar'),
      page('Write a script', '/guides/script'),
      page('Connect a language model', '/guides/language-model'),
      page('Give it a voice', '/guides/voice'),
      page('Record someone\'s eyes', '/guides/record-eyes'),
      page('Label a video', '/guides/label'),
      page('Track eyes in a video', '/guides/track'),
      page('Build a repertoire', '/guides/repertoire'),
      page('Learn behaviour', '/guides/learn-behaviour'),
      page('Lint your animation', '/guides/lint'),
      page('Export to other programs', '/guides/export'),
      page('Run on the web', '/guides/web'),
      page('Unity and Unreal (VMC)', '/guides/vmc'),
      page('Bevy', '/guides/bevy'),
      page('Python', '/guides/python'),
      page('C, C++, C#', '/guides/c'),
      page('Several characters', '/guides/several-characters'),
      page('Mirror a person', '/guides/mirror'),
    ],
  },
  {
    text: 'Concepts',
    items: [
      page('Eyes', '/concepts/eyes'),
      page('Lids and blinks', '/concepts/lids'),
      page('Planner', '/concepts/planner'),
      page('Layers', '/concepts/layers'),
      page('Behaviour', '/concepts/behaviour'),
      page('Speech', '/concepts/speech'),
      page('Moods', '/concepts/moods'),
      page('Mimicry', '/concepts/mimicry'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Command line', '/reference/command-line'),
      page('Intents', '/reference/intents'),
      page('Say', '/reference/say'),
      page('Protocol', '/reference/protocol'),
      page('VMC', '/reference/vmc'),
      page('File formats', '/reference/file-formats'),
      page('Configuration', '/reference/configuration'),
      page('Recordings', '/reference/recordings'),
      page('Blinks', '/reference/blinks'),
      page('Blink model', '/reference/blink-model'),
      page('Eye texture', '/reference/eye-texture'),
      page('Labels', '/reference/labels'),
      page('Lint checks', '/reference/lint'),
      page('Speech text', '/reference/speech-text'),
      page('Expressions', '/reference/expressions'),
      page('Motions as text', '/reference/motions'),
      page('Built-in character', '/reference/built-in-character'),
      page('Rust', '/reference/rust'),
      page('JavaScript', '/reference/javascript'),
      page('Python', '/reference/python'),
      page('C', '/reference/c'),
    ],
  },
  {
    text: 'Science',
    items: [
      page('Overview', '/science/'),
      page('1. Steptoe 2010', '/science/papers/1-steptoe-2010'),
      page('2. Peters 2010', '/science/papers/2-peters-2010'),
      page('3. Trutoiu 2011', '/science/papers/3-trutoiu-2011'),
      page('4. Borer 2019', '/science/papers/4-borer-2019'),
      page('5. Deng 2005', '/science/papers/5-deng-2005'),
      page('Comparison', '/science/comparison'),
      page('Conversation', '/science/conversation'),
      page('Blink detection', '/science/blink-detection'),
      page('Blink models', '/science/blink-model'),
      page('Eye textures', '/science/eye-texture'),
      page('Eye tracker', '/science/tracker'),
      page('Accuracy of the tracker', '/science/tracker-accuracy'),
      page('Audio lip-sync', '/science/lip-sync'),
      page('Phoneme times of espeak-ng', '/science/voice-times'),
      page('Clip labels', '/science/clip-labels'),
      page('Mimicry', '/science/mimicry'),
      page('Performance', '/science/performance'),
    ],
  },
];
const overview = {
  text: 'Sections',
  items: [
    page('Guides', '/guides/studio'),
    page('Concepts', '/concepts/eyes'),
    page('Reference', '/reference/command-line'),
    page('Science', '/science/'),
    page('Contributing', '/contributing'),
  ],
};
/** Pages of a section list that section; all others list how to start, and the sections. */
const sidebars = {
  ...Object.fromEntries(sections.slice(1).map(section => [section.items[0].link.match(/^\/\w+\//)[0], [section]])),
  '/': [sections[0], overview],
};

/** Anchors of headings as GitHub makes them, so that links work in both places. */
const slugify = text => text.trim().toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');

/** Renders links to files outside of docs/, and to files that are not pages, as links into the repository or as text. */
function repositoryLinks(md) {
  const standard = md.renderer.rules.link_open ?? ((tokens, i, options, env, self) => self.renderToken(tokens, i, options));
  const close = md.renderer.rules.link_close ?? ((tokens, i, options, env, self) => self.renderToken(tokens, i, options));
  md.core.ruler.push('repository-links', state => {
    const folder = dirname(resolve(docs, state.env.relativePath ?? 'index.md'));
    for (const { children } of state.tokens) {
      const open = [];
      for (const token of children ?? []) {
        if (token.type === 'link_close') Object.assign(token, { meta: open.pop() });
        if (token.type !== 'link_open') continue;
        const href = token.attrGet('href'), file = resolve(folder, decodeURI(href.split('#')[0]));
        const isLocal = !/^([a-z]+:|#|\/)/.test(href);
        const isPage = file.startsWith(docs + '/') && file.endsWith('.md');
        token.meta = isLocal && !isPage ? { path: relative(root, file), isThere: existsSync(file) } : null;
        open.push(token.meta);
        if (token.meta && !token.meta.isThere) throw new Error(`${state.env.relativePath}: dead link ${href}`);
      }
    }
  });
  md.renderer.rules.link_open = (tokens, i, options, env, self) => {
    const meta = tokens[i].meta;
    if (!meta?.path) return standard(tokens, i, options, env, self);
    if (!repository) return `<span class="file" title="${meta.path}">`;
    return `<a href="${repository}/blob/main/${meta.path}" target="_blank" rel="noreferrer">`;
  };
  md.renderer.rules.link_close = (tokens, i, options, env, self) =>
    tokens[i].meta?.path && !repository ? '</span>' : close(tokens, i, options, env, self);
}

/** The pages are outside of this folder, so their packages are resolved as if they were inside. */
const packagesForPages = {
  name: 'packages-for-pages',
  enforce: 'pre',
  resolveId(id, importer, options) {
    const isPage = importer?.startsWith(docs + '/') && /^vue(\/|$)/.test(id);
    return isPage ? this.resolve(id, resolve(import.meta.dirname, 'config.mjs'), { skipSelf: true, ...options }) : null;
  },
};

export default defineConfig({
  title: 'Vivant',
  description: 'Makes virtual characters look alive',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.VIVANT_SITE_BASE ?? '/'}favicon.svg` }]],
  lang: 'en',
  base: process.env.VIVANT_SITE_BASE ?? '/',
  srcDir: docs,
  outDir: process.env.VIVANT_SITE_OUT ?? resolve(root, 'target/site'),
  cacheDir: resolve(root, 'target/site-cache'),
  cleanUrls: false,
  ignoreDeadLinks: false,
  metaChunk: true,
  router: { prefetchLinks: false },
  markdown: { config: repositoryLinks, anchor: { slugify }, theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' }, languageAlias: { 'rust,ignore': 'rust', 'rust,no_run': 'rust' } },
  vite: {
    publicDir: resolve(import.meta.dirname, '../public'),
    plugins: [packagesForPages],
    resolve: { alias: { vivant: resolve(root, 'packages/vivant/vivant.js') } },
    server: { fs: { allow: [root] } },
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Get started', link: '/start/', activeMatch: '^/start/' },
      { text: 'Guides', link: '/guides/studio', activeMatch: '^/guides/' },
      { text: 'Concepts', link: '/concepts/eyes', activeMatch: '^/concepts/' },
      { text: 'Reference', link: '/reference/command-line', activeMatch: '^/reference/' },
      { text: 'Science', link: '/science/', activeMatch: '^/science/' },
      { text: 'Contributing', link: '/contributing' },
    ],
    sidebar: sidebars,
  },
});
