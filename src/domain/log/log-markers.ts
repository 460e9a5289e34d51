// The wire format of the markers between the lines of a log: writers, shell programs included,
// and readers use the same functions. An argument may also be a placeholder of a format, or a regular
// expression that matches the value.

/** Prefixes of the markers. */
export const markerPrefixes = {
  fold: 'service_fold:',
  time: 'service_time:',
  found: 'service_found:',
} as const

/** Follows each marker, so that terminals do not show the marker. */
export const clearLine = '\r\u001B[0K'

/** `edge` is `start` or `end`. */
export function foldMarker(edge: string, name: string): string {
  return `${markerPrefixes.fold}${edge}:${name}`
}

/** `timer` is a hexadecimal number that the matching end marker repeats. */
export function timeStartMarker(timer: string): string {
  return `${markerPrefixes.time}start:${timer}`
}

export function timeEndMarker(timer: string, stats: string): string {
  return `${markerPrefixes.time}end:${timer}:${stats}`
}

/** Names the language version that runs because the requested version is missing. */
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

/** The statistics in the end marker of a time; all values except the event are in nanoseconds. */
export function timeStats({ start, finish, duration, event }: TimeStats): string {
  return `start=${start},finish=${finish},duration=${duration},event=${event}`
}
