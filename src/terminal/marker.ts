/** What a job's script says between the lines of its output (pipeline 6.6). */
export type Marker =
  | { kind: 'fold_start' | 'fold_end'; name: string }
  | { kind: 'time_start'; id: string }
  | { kind: 'time_end'; id: string; seconds: number | null }

export interface Marked {
  /** What stands before the marker: the output since the marker before. */
  text: string
  /** Null after the last marker. */
  marker: Marker | null
}

const escape = String.fromCharCode(0x1b)
const pattern = new RegExp(
  String.raw`service_(?:fold:(?<fold>start|end):(?<name>[\w.-]{1,200})` +
    String.raw`|time:start:(?<begun>[\da-f]{1,16})` +
    String.raw`|time:end:(?<ended>[\da-f]{1,16}):(?<stats>[\w=,.-]{1,300}))` +
    String.raw`\r?(?:${escape}\[0?K)?`,
  'g',
)

/** Cuts a line at its first markers, which are not shown. A line without any is one piece. */
export function cutAtMarkers(line: string, most: number): Marked[] {
  if (!line.includes('service_')) return [{ text: line, marker: null }]
  const pieces: Marked[] = []
  let at = 0
  for (const match of line.matchAll(pattern)) {
    if (pieces.length >= most) break
    pieces.push({ text: line.slice(at, match.index), marker: markerIn(match.groups ?? {}) })
    at = match.index + match[0].length
  }
  return [...pieces, { text: line.slice(at), marker: null }]
}

function markerIn({ fold, name, begun, ended, stats }: Record<string, string>): Marker {
  if (name !== undefined) return { kind: fold === 'start' ? 'fold_start' : 'fold_end', name }
  if (begun !== undefined) return { kind: 'time_start', id: begun }
  return { kind: 'time_end', id: ended ?? '', seconds: secondsIn(stats ?? '') }
}

function secondsIn(stats: string): number | null {
  const nanoseconds = /(?:^|,)duration=(\d{1,18})(?:,|$)/.exec(stats)?.[1]
  return nanoseconds === undefined ? null : Number(nanoseconds) / 1e9
}
