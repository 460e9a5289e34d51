declare module 'vitest' {
  interface TaskMeta {
    /** What a test needs that is not here: the test is skipped for it. */
    lacks?: Need
  }
}

/** Something that tests need and not every machine has. */
export interface Need {
  /** Which tests, after "N tests": `in a browser`. */
  tests: string
  /** Why they are skipped, or undefined where all that they need is here. */
  missing: string | undefined
}

/** Options of tests that need something: they are skipped, counted and reported where it is missing. */
export function needs(need: Need) {
  return need.missing === undefined ? {} : { skip: true, meta: { lacks: need } }
}

export const rootUser: Need = {
  tests: 'of what only root can do',
  missing: process.getuid?.() === 0 ? undefined : 'this is an ordinary user',
}

export const ordinaryUser: Need = {
  tests: 'of what root is never refused',
  missing: process.getuid?.() === 0 ? 'this is root' : undefined,
}

export function both(...all: readonly Need[]): Need {
  return all.find(({ missing }) => missing !== undefined) ?? (all[0] as Need)
}
