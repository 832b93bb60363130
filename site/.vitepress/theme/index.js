// The default theme without its web fonts, and three live parts that pages use as tags.
import DefaultTheme from 'vitepress/theme-without-fonts';
import VivantBlinks from './VivantBlinks.vue';
import VivantEyes from './VivantEyes.vue';
import VivantPlan from './VivantPlan.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    for (const [name, part] of Object.entries({ VivantBlinks, VivantEyes, VivantPlan })) app.component(name, part);
  },
};
