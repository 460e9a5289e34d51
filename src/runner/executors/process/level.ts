/** How well a job is isolated from the machine that runs it, best first. */
export const levels = ['sandbox', 'tree', 'none'] as const

export type Level = (typeof levels)[number]

/** What works on this machine, according to the probe. */
export interface Way {
  level: Level
  /** Whether util-linux `script` gives the job a terminal; otherwise the job writes into a pipe. */
  terminal: boolean
  /** Whether bubblewrap knows `--disable-userns` and `--size` (0.8 and later). */
  recent: boolean
  /** Whether `setpriv` of util-linux can keep programs from gaining rights; needed at level `none`. */
  sealed: boolean
}
