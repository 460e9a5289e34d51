import { markerPrefixes } from './log-markers.ts'

const prefixes = Object.values(markerPrefixes).join('|')
const erased = new RegExp(`(?:${prefixes})[^\\r\\n]*\\r(?:\u001B\\[0K)?`, 'g')

/**
 * Output without all text that a terminal would erase as a marker, including invalid markers such as a
 * fold with a space in its name. Does not depend on lines, so it also works on parts of a log.
 */
export function withoutMarkers(text: string): string {
  return text.replaceAll(erased, '')
}
