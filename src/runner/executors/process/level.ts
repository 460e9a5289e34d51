/** How far a job is kept from the machine it runs on, best first. */
export const levels = ['sandbox', 'tree', 'none'] as const

export type Level = (typeof levels)[number]

/** What the probe found to work on this machine. */
export interface Way {
  level: Level
  /** Whether util-linux `script` gives the job a terminal; else it writes into a pipe. */
  terminal: boolean
  /** Whether bubblewrap knows `--disable-userns` and `--size` (0.8 and later). */
  recent: boolean
  /** Whether `setpriv` of util-linux can keep programs from gaining rights; needed at level `none`. */
  sealed: boolean
}
