import path from 'node:path'
import type { Report } from '../../../lint/finding.ts'
import { repositoryAround } from './folders.ts'

/**
 * A report that names its file from the top of its repository, as code hosts look for it, wherever the
 * command was started; outside of a repository, and of standard input, as it is.
 */
export function withRepositoryPath(report: Report): Report {
  if (report.file === standardInput) return report
  const file = repositoryPath(report.file)
  const findings = report.findings.map((finding) =>
    finding.file === report.file ? { ...finding, file } : finding,
  )
  return { ...report, file, findings }
}

/** What standard input is called in reports. */
export const standardInput = '<stdin>'

function repositoryPath(file: string): string {
  const full = path.resolve(file)
  const top = repositoryAround(path.dirname(full))
  return top === undefined ? file : path.relative(top, full)
}
