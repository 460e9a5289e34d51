import {
  foldMarker,
  markerPrefixes,
  timeEndMarker,
  timeStartMarker,
} from '../domain/log/log-markers.ts'

/** A marker that a job's script prints between the lines of its output. */
export type Marker =
  | { kind: 'fold_start' | 'fold_end'; name: string }
  | { kind: 'time_start'; id: string }
  | { kind: 'time_end'; id: string; seconds: number | null }

export interface Marked {
  /** The output between the previous marker and this one. */
  text: string
  /** Null after the last marker. */
  marker: Marker | null
}

const prefixes = Object.values(markerPrefixes)
const markers = [
  foldMarker('(?<edge>start|end)', String.raw`(?<name>[\w.-]{1,200})`),
  timeStartMarker(String.raw`(?<begun>[\da-f]{1,16})`),
  timeEndMarker(String.raw`(?<ended>[\da-f]{1,16})`, String.raw`(?<stats>[\w=,.-]{1,300})`),
]
// The end of a marker can be missing, or in the equivalent short form.
const rest = '\r?(?:\u001B\\[0?K)?'
const pattern = new RegExp(`(?:${markers.join('|')})${rest}`, 'g')

/** Cuts a line at its first markers, which are not shown. A line without any is one piece. */
export function cutAtMarkers(line: string, most: number): Marked[] {
  if (!prefixes.some((prefix) => line.includes(prefix))) return [{ text: line, marker: null }]
  const pieces: Marked[] = []
  let at = 0
  for (const match of line.matchAll(pattern)) {
    if (pieces.length >= most) break
    pieces.push({ text: line.slice(at, match.index), marker: markerIn(match.groups ?? {}) })
    at = match.index + match[0].length
  }
  return [...pieces, { text: line.slice(at), marker: null }]
}

function markerIn({ edge, name, begun, ended, stats }: Record<string, string>): Marker {
  if (name !== undefined) return { kind: edge === 'start' ? 'fold_start' : 'fold_end', name }
  if (begun !== undefined) return { kind: 'time_start', id: begun }
  return { kind: 'time_end', id: ended ?? '', seconds: secondsIn(stats ?? '') }
}

function secondsIn(stats: string): number | null {
  const nanoseconds = /(?:^|,)duration=(\d{1,18})(?:,|$)/.exec(stats)?.[1]
  return nanoseconds === undefined ? null : Number(nanoseconds) / 1e9
}
