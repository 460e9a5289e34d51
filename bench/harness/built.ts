/**
 * A module of `dist/`, which is what people run: sources that are translated while they are loaded
 * are slower. `npm run bench` builds it first.
 */
export async function built<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as Module
}
