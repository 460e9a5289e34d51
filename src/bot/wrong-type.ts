import { Ajv, type SchemaObject, type ValidateFunction } from 'ajv'
import type { HandledEvent } from '../domain/event.ts'

const ajv = new Ajv({ strict: true, formats: { time: isTime } })

/** Whether the time has a year and can be stored in the database. */
function isTime(text: string): boolean {
  return /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text))
}

const text = { type: 'string' }
const flag = { type: 'boolean' }
const time = { type: 'string', format: 'time' }
const id = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const number = { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 }

const orNull = (schema: SchemaObject) => ({ ...schema, nullable: true })
const listOf = (items: SchemaObject) => ({ type: 'array', items })

/** An object with these members, and others that are not read. */
function object(
  needed: Readonly<Record<string, SchemaObject>>,
  others: Readonly<Record<string, SchemaObject>> = {},
): SchemaObject {
  const required = Object.keys(needed)
  return { type: 'object', properties: { ...needed, ...others }, required }
}

const account = object({ id, login: text }, { type: orNull(text) })

const common = { sender: orNull(account), installation: orNull(object({ id })) }

const described = {
  repository: object(
    { id, name: text, private: flag, fork: flag, default_branch: text },
    {
      description: orNull(text),
      language: orNull(text),
      archived: orNull(flag),
      owner: orNull(
        object({ id }, { login: orNull(text), name: orNull(text), type: orNull(text) }),
      ),
    },
  ),
}

const person = orNull(object({}, { name: orNull(text), email: orNull(text) }))

const commit = object(
  { id: text, message: text },
  { timestamp: orNull(text), author: person, committer: person },
)

const side = { sha: text, ref: text }

const pull = object(
  {
    number,
    title: text,
    state: { enum: ['open', 'closed'] },
    head: object(side, { repo: orNull(object({ id }, { full_name: orNull(text) })) }),
    base: object(side),
  },
  {
    draft: orNull(flag),
    html_url: orNull(text),
    user: orNull(object({ login: text }, { id: orNull(id) })),
    merged: orNull(flag),
    mergeable_state: orNull(text),
    updated_at: time,
  },
)

const installation = object(
  {
    id,
    account: orNull(object({ id }, { login: text })),
    target_type: text,
    repository_selection: { enum: ['all', 'selected'] },
    permissions: { type: 'object', additionalProperties: text },
    events: listOf(text),
  },
  { suspended_at: orNull(text) },
)

const installed = listOf(object({}, { id, name: text, private: flag }))

const ref = object({ ...described, ref: text, ref_type: text }, common)

const team = object(
  { team: object({}, { name: text }) },
  { ...common, organization: account, member: orNull(account) },
)

const ofLogin = object({}, { login: object({}, { from: text }) })

const check = { head_sha: text }

/** The types that the readers of an event expect in its body. */
const shapes: Readonly<Record<HandledEvent, SchemaObject>> = {
  push: object(
    { ...described, ref: text, before: text, after: text },
    { ...common, deleted: flag, forced: flag, compare: orNull(text), head_commit: orNull(commit) },
  ),
  pull_request: {
    ...object({ ...described, action: text, pull_request: pull }, common),
    if: object({ action: { const: 'edited' } }),
    // oxlint-disable-next-line unicorn/no-thenable
    then: object({ changes: object({}) }),
  },
  merge_group: object(
    {
      ...described,
      action: text,
      merge_group: object({
        head_sha: text,
        head_ref: text,
        base_sha: text,
        base_ref: text,
        head_commit: commit,
      }),
    },
    { ...common, reason: orNull(text) },
  ),
  create: ref,
  delete: ref,
  repository: object({ ...described, action: text }, common),
  member: object({ ...described, action: text }, { ...common, member: orNull(account) }),
  membership: team,
  team,
  organization: object(
    { action: text, organization: account },
    {
      ...common,
      changes: ofLogin,
      membership: orNull(object({}, { user: orNull(account), role: text })),
    },
  ),
  installation: object(
    { action: text, installation },
    { sender: orNull(account), repositories: installed },
  ),
  installation_repositories: object(
    { installation, repositories_added: installed, repositories_removed: installed },
    { sender: orNull(account) },
  ),
  installation_target: object(
    { account: object({ id }, { login: text }), changes: ofLogin, target_type: text },
    { sender: orNull(account) },
  ),
  check_run: object(
    { ...described, check_run: object({ ...check, name: text }, { external_id: orNull(text) }) },
    { ...common, requested_action: object({}, { identifier: text }) },
  ),
  check_suite: object(
    { ...described, check_suite: object(check, { head_branch: orNull(text) }) },
    common,
  ),
  github_app_authorization: object({ sender: account }),
}

const shapesOf = new Map(Object.entries(shapes))

const compiled = new Map<string, ValidateFunction>()

/**
 * Which part of an event's body has another type than its readers expect, in words; undefined if there
 * is none. A body can be wrong despite a valid signature, and reading it again does not help.
 */
export function wrongType(event: string, payload: unknown): string | undefined {
  const shape = shapesOf.get(event)
  if (!shape) return undefined
  const isFitting = compiled.get(event) ?? ajv.compile(shape)
  compiled.set(event, isFitting)
  if (isFitting(payload)) return undefined
  const [error] = isFitting.errors ?? []
  const { instancePath, message = '' } = error ?? { instancePath: '' }
  const member = instancePath.slice(1).replaceAll('/', '.')
  const what = `${member === '' ? 'it' : member} ${message}`.slice(0, mostShown)
  return `the body does not match the event ${event}: ${what}`
}

/** Some of the names are the sender's. */
const mostShown = 200
