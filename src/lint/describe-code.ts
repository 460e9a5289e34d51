import type { MessageLevel } from '../domain/request/request.ts'
import { catalogue } from './catalogue/index.ts'
import { rules } from './rules/index.ts'

export interface CodeDescription {
  code: string
  /** The worst level comes first. */
  levels: readonly MessageLevel[]
  /** In a sentence or two. */
  summary: string
  /** Its page, below the root of the documentation. */
  docs: string
}

/** Describes a finding's code, of a message or of a rule. */
export function describeCode(code: string): CodeDescription {
  const docs = docsPage(code)
  const rule = rules.find((rule) => rule.code === code)
  if (rule) return { code, levels: [rule.level], summary: rule.summary, docs }
  const entry = catalogue.find((entry) => entry.code === code)
  if (!entry) throw new Error(`nothing has the code ${code}`)
  return { code, levels: entry.levels, summary: entry.meaning, docs }
}

/** Whether findings can have this code. */
export function isCode(code: string): boolean {
  return [...rules, ...catalogue].some((entry) => entry.code === code)
}

/** The page about a code, below the root of the documentation. */
export function docsPage(code: string): string {
  return `lint/${code}`
}
