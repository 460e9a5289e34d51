import { visibleJson } from '../../domain/text/escape-control-characters.ts'
import type { Report } from '../finding.ts'

/** Findings for programs: one object, its `findings` in the order of the files and of the reader. */
export function formatJson(reports: readonly Report[]): string {
  return `${visibleJson({ findings: reports.flatMap(({ findings }) => findings) }, 2)}\n`
}
