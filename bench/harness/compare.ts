import type { Plan } from './plan.ts'
import { median, percentile } from './statistics.ts'

/** Does one window of work and returns its figure: a rate, or a time. */
export type Window = () => Promise<number>

export interface Sides {
  candidate: Window
  anchor: Window
}

export interface Comparison {
  /** Medians of candidate / anchor, and of anchor / anchor in the same rhythm. */
  ratio: number
  aa: number
  /** Of the single ratios of candidate and anchor. */
  p10: number
  p90: number
}

const steady = 0.1

/** Warms both sides, then measures them in turns, so that a slow minute hits both alike. */
export async function compare(
  { candidate, anchor }: Sides,
  { pairs, warmUp }: Plan,
): Promise<Comparison> {
  await warm(anchor, warmUp)
  await warm(candidate, warmUp)

  const ratios: number[] = []
  const same: number[] = []
  while (ratios.length < pairs) {
    ratios.push(...(await block(anchor, candidate)))
    ratios.push(...(await block(anchor, candidate)))
    same.push(...(await block(anchor, anchor)))
  }
  return {
    ratio: median(ratios),
    aa: median(same),
    p10: percentile(ratios, 0.1),
    p90: percentile(ratios, 0.9),
  }
}

/** A C C A: each side comes first once, so whatever grows or fades cancels itself out. */
async function block(anchor: Window, candidate: Window): Promise<[number, number]> {
  const first = await anchor()
  const second = await candidate()
  const third = await candidate()
  const fourth = await anchor()
  return [second / first, third / fourth]
}

/** Runs windows until two in a row hardly differ; not for ever, because some machines never rest. */
async function warm(window: Window, most: number): Promise<void> {
  let before = await window()
  for (let tries = 1; tries < most; tries++) {
    const now = await window()
    if (Math.abs(now - before) < steady * before) return
    before = now
  }
}
