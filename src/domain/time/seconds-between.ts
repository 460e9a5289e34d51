/** The whole seconds from one time to another, as durations are shown and stored: begun seconds do not count. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000))
}
