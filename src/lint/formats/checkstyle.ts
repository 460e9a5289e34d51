import type { MessageLevel } from '../../domain/request/request.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { byPosition, type Finding, type Report } from '../finding.ts'

const severities: Record<MessageLevel, string> = {
  alert: 'error',
  error: 'error',
  warn: 'warning',
  info: 'info',
}

/** Findings as the XML that many servers and editors read from linters. */
export function formatCheckstyle(reports: readonly Report[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<checkstyle version="4.3">',
    ...reports.flatMap(file),
    '</checkstyle>',
    '',
  ].join('\n')
}

function file({ file, findings }: Report): string[] {
  return [
    `  <file${attributes({ name: file })}>`,
    ...findings.toSorted(byPosition).map(error),
    '  </file>',
  ]
}

function error({ line, column, level, message, code }: Finding): string {
  const severity = severities[level]
  // A finding about the whole file gets line 1: readers of this format require a line.
  const position = { line: line ?? 1, ...(column === null ? {} : { column }) }
  return `    <error${attributes({ ...position, severity, message, source: `build-service.${code}` })}/>`
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')
}

/** Characters that XML cannot hold are spelled out first. */
function escaped(text: string): string {
  return visible(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
