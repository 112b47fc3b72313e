import { type Browser, chromium } from 'playwright-core';

/**
 * Starts Chromium where there is no graphics card: SwiftShader draws what needs WebGL, the maps. Pages are composed
 * without it: drawing everything by it takes half as much again of the processor.
 */
export function launchChromium(program: string): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-gpu-compositing',
    // Debian's wrapper of Chromium asks for it
    '--disable-gpu-rasterization',
  ];
  return chromium.launch({ executablePath: program, args });
}
