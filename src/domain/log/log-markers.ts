// The wire format of the markers between the lines of a log: writers, shell programs included,
// and readers use the same functions. An argument may also be a placeholder of a format, or a regular
// expression that matches the value.

/** What the markers begin with. */
export const markerPrefixes = {
  fold: 'service_fold:',
  time: 'service_time:',
  found: 'service_found:',
} as const

/** Follows each marker, so that a terminal shows nothing of it. */
export const clearLine = '\r\u001B[0K'

/** `edge` is `start` or `end`. */
export function foldMarker(edge: string, name: string): string {
  return `${markerPrefixes.fold}${edge}:${name}`
}

/** `timer` is a hexadecimal number that the end of the same time repeats. */
export function timeStartMarker(timer: string): string {
  return `${markerPrefixes.time}start:${timer}`
}

export function timeEndMarker(timer: string, stats: string): string {
  return `${markerPrefixes.time}end:${timer}:${stats}`
}

/** Says which version of a language runs where the one asked for is not there. */
export function foundMarker(version: string): string {
  return `${markerPrefixes.found}${version}`
}

export interface TimeStats {
  start: string
  finish: string
  duration: string
  /** The phase of the job, or `checkout`. */
  event: string
}

/** The statistics in the end marker of a time; all but the event in nanoseconds. */
export function timeStats({ start, finish, duration, event }: TimeStats): string {
  return `start=${start},finish=${finish},duration=${duration},event=${event}`
}
