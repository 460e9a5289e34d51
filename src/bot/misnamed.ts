import type { HandledEvent } from '../domain/event.ts'

/** Paths that exist in the body of each event; no body of another event has all of them. */
const marks: Readonly<Record<HandledEvent, readonly string[]>> = {
  push: ['ref', 'before', 'after', 'repository.id'],
  pull_request: ['pull_request.head.sha', 'number', 'repository.id'],
  merge_group: ['merge_group.head_sha', 'repository.id'],
  create: ['ref', 'ref_type', 'master_branch', 'repository.id'],
  delete: ['ref', 'ref_type', 'pusher_type', 'repository.id'],
  repository: ['action', 'repository.id'],
  member: ['action', 'repository.id'],
  membership: ['action', 'team', 'scope'],
  organization: ['action', 'organization.id'],
  team: ['action', 'team'],
  installation: ['action', 'installation.account', 'installation.target_type'],
  installation_repositories: ['installation.account', 'repositories_added'],
  installation_target: ['account', 'target_type', 'changes'],
  check_run: ['action', 'check_run.head_sha', 'repository.id'],
  check_suite: ['action', 'check_suite.head_sha', 'repository.id'],
  github_app_authorization: ['action', 'sender.id'],
}

const marksOf = new Map(Object.entries(marks))

/** Paths that exist only in bodies of other events. */
const alien: Readonly<Record<string, readonly string[]>> = {
  delete: ['master_branch'],
  github_app_authorization: [
    'repository',
    'organization',
    'installation.account',
    'team',
    'account',
  ],
  organization: ['repository', 'team'],
  installation: ['repositories_added'],
}

/**
 * Why a body cannot belong to an event, in words; undefined if it can. The signature does not cover the
 * name of the event, so a captured body can be sent under any name.
 */
export function misnamed(event: string, payload: unknown): string | undefined {
  const missing = marksOf.get(event)?.find((path) => at(payload, path) === undefined)
  const other = alien[event]?.find((path) => at(payload, path) !== undefined)
  if (missing === undefined && other === undefined) return undefined
  const why = missing === undefined ? `a member ${other}` : `no ${missing}`
  return `the body does not match the event ${event}: it has ${why}`
}

function at(payload: unknown, path: string): unknown {
  let found = payload
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}
