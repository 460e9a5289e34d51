import { markerPrefixes } from '../domain/log-markers.ts'

const prefixes = Object.values(markerPrefixes).join('|')
const erased = new RegExp(`(?:${prefixes})[^\\r\\n]*\\r(?:\u001B\\[0K)?`, 'g')

/**
 * Output without all that a terminal would erase as a marker: also what no reader takes for one, a
 * fold with a blank in its name say. Reads no lines, so that a part of a log can be passed as well.
 */
export function withoutMarkers(text: string): string {
  return text.replaceAll(erased, '')
}
