import path from 'node:path'
import type { Report } from '../../../lint/finding.ts'
import { repositoryAround } from './folders.ts'

/**
 * A report with the file's path from the top of its repository, as code hosts expect it, wherever the
 * command was started. Reports outside of a repository, or of standard input, are unchanged.
 */
export function withRepositoryPath(report: Report): Report {
  if (report.file === standardInput) return report
  const file = repositoryPath(report.file)
  const findings = report.findings.map((finding) =>
    finding.file === report.file ? { ...finding, file } : finding,
  )
  return { ...report, file, findings }
}

/** Name of standard input in reports. */
export const standardInput = '<stdin>'

function repositoryPath(file: string): string {
  const full = path.resolve(file)
  const top = repositoryAround(path.dirname(full))
  return top === undefined ? file : path.relative(top, full)
}
