import { buildStates } from '../../../domain/build.ts'
import { jobStates } from '../../../domain/job/job.ts'
import { eventTypes } from '../../../domain/request/request.ts'
import { defaultSettings } from '../../../domain/settings.ts'
import {
  anyObject,
  constant,
  integer,
  integerOrNull,
  listOf,
  objectOf,
  oneOf,
  orNull,
  type JsonSchema,
  text,
  textOrNull,
  time,
  timeOrNull,
  truth,
} from '../../openapi/schema.ts'
import type { presentBuild } from '../present/build.ts'
import type { presentCommit } from '../present/commit.ts'
import type { presentHook } from '../present/hook.ts'
import type { presentJob } from '../present/job.ts'
import type { presentRepository } from '../present/repository.ts'
import type { presentRequest } from '../present/request.ts'
import type { presentUser } from '../present/user.ts'

const buildState = oneOf(buildStates)

/** The schemas of all members that a presenter shows. */
type MembersOf<Present extends (...args: never[]) => object> = Readonly<
  Record<keyof ReturnType<Present>, JsonSchema>
>

const build: MembersOf<typeof presentBuild> = {
  id: integer,
  repository_id: integer,
  commit_id: integer,
  number: text,
  event_type: oneOf(eventTypes),
  pull_request: truth,
  pull_request_title: textOrNull,
  pull_request_number: textOrNull,
  config: anyObject,
  state: buildState,
  started_at: timeOrNull,
  finished_at: timeOrNull,
  duration: integerOrNull,
  job_ids: listOf(integer),
}

const commit: MembersOf<typeof presentCommit> = {
  id: integer,
  sha: text,
  branch: textOrNull,
  tag: textOrNull,
  message: textOrNull,
  committed_at: timeOrNull,
  author_name: textOrNull,
  author_email: textOrNull,
  committer_name: textOrNull,
  committer_email: textOrNull,
  compare_url: textOrNull,
  pull_request_number: integerOrNull,
}

const job: MembersOf<typeof presentJob> = {
  id: integer,
  repository_id: integer,
  repository_slug: text,
  build_id: integer,
  stage_id: integerOrNull,
  commit_id: integer,
  log_id: integer,
  number: text,
  config: anyObject,
  state: oneOf(jobStates),
  started_at: timeOrNull,
  finished_at: timeOrNull,
  queue: textOrNull,
  allow_failure: truth,
  tags: textOrNull,
}

const repository: MembersOf<typeof presentRepository> = {
  id: integer,
  slug: text,
  description: textOrNull,
  active: truth,
  last_build_id: integerOrNull,
  last_build_number: textOrNull,
  last_build_state: orNull(buildState),
  last_build_duration: integerOrNull,
  last_build_language: textOrNull,
  last_build_started_at: timeOrNull,
  last_build_finished_at: timeOrNull,
  codehost_language: textOrNull,
}

const hook: MembersOf<typeof presentHook> = {
  ...repository,
  name: text,
  owner_name: text,
  private: truth,
  admin: truth,
}

const request: MembersOf<typeof presentRequest> = {
  id: integer,
  repository_id: integer,
  commit_id: integerOrNull,
  created_at: timeOrNull,
  owner_id: integer,
  owner_type: oneOf(['User', 'Organization']),
  event_type: oneOf(eventTypes),
  base_commit: textOrNull,
  head_commit: textOrNull,
  result: orNull(oneOf(['accepted', 'rejected'])),
  message: textOrNull,
  pull_request: truth,
  pull_request_number: integerOrNull,
  pull_request_title: textOrNull,
  branch: textOrNull,
  tag: textOrNull,
  build_id: integerOrNull,
}

const user: MembersOf<typeof presentUser> = {
  id: integer,
  login: text,
  name: textOrNull,
  email: textOrNull,
  avatar_id: text,
  avatar_url: textOrNull,
  locale: textOrNull,
  is_syncing: truth,
  synced_at: timeOrNull,
  correct_scopes: truth,
  created_at: timeOrNull,
  first_logged_in_at: timeOrNull,
  channels: listOf(text),
  allow_migration: truth,
  vcs_type: textOrNull,
}

const account = objectOf({
  id: integer,
  name: textOrNull,
  login: text,
  type: oneOf(['user', 'organization']),
  repos_count: integer,
  avatar_url: textOrNull,
})

const cache = objectOf({
  repository_id: integer,
  size: integer,
  slug: text,
  branch: textOrNull,
  last_modified: time,
})

const envVar = objectOf(
  { id: text, name: text, value: text, public: truth, branch: textOrNull, repository_id: integer },
  ['value'],
)

/** Has either the text or the parts, which are two forms of the same content. */
const log = objectOf(
  {
    id: integer,
    job_id: integer,
    type: constant('Log'),
    removed_at: timeOrNull,
    removed_by: textOrNull,
    body: text,
    parts: listOf(objectOf({ number: integer, content: text, final: truth })),
  },
  ['body', 'parts'],
)

const settings = objectOf(
  Object.fromEntries(
    Object.entries(defaultSettings).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? truth : value === null ? integerOrNull : integer,
    ]),
  ),
)

/** Schemas of V2.1's records, by the names that `answers.ts` uses. */
export const schemas = {
  account,
  build: objectOf(build),
  cache,
  commit: objectOf(commit),
  env_var: envVar,
  hook: objectOf(hook),
  job: objectOf(job),
  log,
  repository: objectOf(repository),
  request: objectOf(request),
  settings,
  single_commit: objectOf({ ...commit, branch_is_default: truth }),
  ssh_key: objectOf({ id: integer, description: textOrNull, fingerprint: textOrNull }),
  user: objectOf(user),
} as const satisfies Readonly<Record<string, JsonSchema>>
