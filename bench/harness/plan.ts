/** How long a benchmark measures. */
export interface Plan {
  /** Milliseconds of one window. */
  window: number
  /** Ratios of candidate and anchor; every block of four windows gives two. */
  pairs: number
  /** Windows that either side is warmed with at most. */
  warmUp: number
  /** Events that a window of events holds at least. */
  events: number
  quick: boolean
}

const full: Plan = { window: 1000, pairs: 24, warmUp: 10, events: 3, quick: false }
const trial: Plan = { window: 150, pairs: 4, warmUp: 3, events: 1, quick: true }

/** What the method asks for over HTTP, or with BENCH_QUICK=1 a try that proves little. */
export function planOf({ BENCH_QUICK }: NodeJS.ProcessEnv): Plan {
  return BENCH_QUICK === '1' ? trial : full
}
