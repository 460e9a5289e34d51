import type { Repository } from '../../../domain/repository.ts'
import type { Given } from '../../parameters/nest.ts'
import type { FieldProblems } from '../parts/field.tsx'

/** The fields of the form that requests a build, as they were sent. */
export interface BuildNowForm {
  kind: 'branch' | 'tag'
  /** The name of the branch or tag. */
  ref: string
  sha: string
  message: string
  /** `NAME=value`, one a line. */
  variables: string
}

/** The values of the form, if all of its fields are valid. */
export interface Wanted {
  sha: string | undefined
  message: string | undefined
  variables: Record<string, string> | undefined
}

export function emptyForm({ default_branch_name }: Repository): BuildNowForm {
  return { kind: 'branch', ref: default_branch_name, sha: '', message: '', variables: '' }
}

export function formIn(given: Given): BuildNowForm {
  const text = (name: string) => {
    const value = given[name]
    return typeof value === 'string' ? value.replaceAll(/\r\n?/g, '\n') : ''
  }
  return {
    kind: text('kind') === 'tag' ? 'tag' : 'branch',
    ref: text('ref').trim(),
    sha: text('sha').trim().toLowerCase(),
    message: text('message').trim(),
    variables: text('variables'),
  }
}

const mostVariables = 100
const line = /^(?!secure=)(?<name>[A-Za-z_][A-Za-z0-9_]*)=(?<value>.*)$/

/** Reads the form: its values and its errors. */
export function readForm(form: BuildNowForm): { wanted: Wanted; problems: FieldProblems } {
  const problems = new Map<string, string>()
  const { ref, sha, message, variables } = form
  if (ref === '') problems.set('ref', 'enter the name of a branch or tag')
  if (ref.length > 1000 || hasNull(ref))
    problems.set('ref', 'this is not the name of a branch or tag')
  if (sha !== '' && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha)) {
    problems.set('sha', 'enter the full hash of a commit, of 40 hex digits, or leave it empty')
  }
  if (message.length > 10_000 || hasNull(message)) {
    problems.set('message', 'enter a text of at most 10,000 characters')
  }
  const lines = variables.split('\n').filter((each) => each.trim() !== '')
  const pairs = lines.flatMap((each) => {
    const { name, value = '' } = line.exec(each.trim())?.groups ?? {}
    return name === undefined || hasNull(value) ? [] : [[name, value] as const]
  })
  if (pairs.length < lines.length) {
    const wrong = 1 + lines.findIndex((each) => !line.test(each.trim()))
    problems.set('variables', `line ${wrong} is not NAME=value`)
  }
  if (lines.length > mostVariables) {
    problems.set('variables', `enter at most ${mostVariables} variables`)
  }
  return {
    wanted: {
      sha: sha === '' ? undefined : sha,
      message: message === '' ? undefined : message,
      variables: pairs.length === 0 ? undefined : Object.fromEntries(pairs),
    },
    problems,
  }
}

const hasNull = (text: string) => text.includes('\0')
