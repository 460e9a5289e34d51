import { clearLine, markerPrefixes } from './log-markers.ts'

const prefixes = Object.values(markerPrefixes).join('|')
const erased = new RegExp(`(?:${prefixes})[^\\r]*\\r(?:\u001B\\[0K)?`, 'g')
const eraser = clearLine.slice(1)

/**
 * Output without all text that a terminal would erase as a marker, including invalid markers such as a
 * fold with a space in its name. Also works on parts of a log.
 */
export function withoutMarkers(text: string): string {
  return text.split('\n').map(lineWithoutMarkers).join('\n')
}

/** Ignores text after the last carriage return: a search of it for each prefix would take quadratic time. */
function lineWithoutMarkers(line: string): string {
  const last = line.lastIndexOf('\r') + 1
  const end = line.startsWith(eraser, last) ? last + eraser.length : last
  return line.slice(0, end).replaceAll(erased, '') + line.slice(end)
}
