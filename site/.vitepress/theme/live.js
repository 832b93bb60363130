// Code that the live parts share: the engine, a clock, and the reader's preference for reduced motion.
import { onBeforeUnmount, onMounted, ref } from 'vue';

/** A minimal avatar for the live parts: a head with two eyes. Positions are in metres. */
export const RIG = {
  bones: {
    hips: [0, 0.97, 0], spine: [0, 1.07, 0], neck: [0, 1.42, 0], head: [0, 1.5, 0],
    leftEye: [0.032, 1.56, 0.08], rightEye: [-0.032, 1.56, 0.08],
  },
  expressions: ['blinkLeft', 'blinkRight'],
};

/** Indices of `frame.signals`. */
export const SIGNAL = { leftYaw: 0, leftPitch: 1, rightYaw: 2, rightPitch: 3, headYaw: 4, headPitch: 5, apertureLeft: 11, apertureRight: 12 };

const MESSAGE = 'This part needs WebAssembly with SIMD, which this browser does not offer.';

/**
 * Loads the engine, calls `start(engine)` once and then `frame(seconds)` for every frame while the part is visible.
 * Returns a message for the reader, and whether the clock runs.
 */
export function useLive(element, start, frame) {
  const message = ref('Loading the engine…'), isRunning = ref(false), isReady = ref(false);
  let request = 0, last = 0, seconds = 0, isVisible = true, observer;

  function tick(now) {
    request = requestAnimationFrame(tick);
    const delta = Math.min(0.1, (now - last) / 1000);
    last = now;
    if (!isVisible || !isRunning.value) return;
    seconds += delta;
    frame(seconds, delta);
  }

  onMounted(async () => {
    try {
      if (typeof WebAssembly === 'undefined') throw new Error('no WebAssembly');
      const engine = await import('vivant');
      await engine.default();
      await start(engine);
    } catch (error) {
      console.info('Vivant:', error);
      message.value = MESSAGE;
      return;
    }
    message.value = '';
    isReady.value = true;
    isRunning.value = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    observer = new IntersectionObserver(([entry]) => { isVisible = entry.isIntersecting; });
    observer.observe(element.value);
    frame(0, 0);
    last = performance.now();
    request = requestAnimationFrame(tick);
  });

  onBeforeUnmount(() => {
    cancelAnimationFrame(request);
    observer?.disconnect();
  });

  return { message, isRunning, isReady, now: () => seconds };
}
