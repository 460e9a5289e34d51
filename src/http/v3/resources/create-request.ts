import { mergeModes } from '../../../buildfile/imports/mode.ts'
import { refOf } from '../../../domain/event.ts'
import { type Repository, type Seen, vcsType } from '../../../domain/repository.ts'
import type { ApiConfig } from '../../../domain/request/request.ts'
import {
  createRequest,
  type CreatedRequest,
  refusalOfRequest,
} from '../../../flow/requests/create-request.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { anyObject, constant, integer, objectOf, refTo } from '../../openapi/schema.ts'
import { described, ofType, type Values } from '../../parameters/parameter.ts'
import {
  commitId,
  configText,
  configTexts,
  keptText,
  mergeMode,
  variables,
} from '../../parameters/request-fields.ts'
import { post } from '../core/action.ts'
import { pending, presented, showing } from '../core/presented.ts'
import { warn, warning } from '../core/warnings.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { repository } from './repository.ts'

const accepts = ofType('request', {
  message: described('replaces the commit message; at most 10,000 characters', keptText(10_000)),
  branch: described('the name of a branch; the default branch by default', keptText(1000)),
  sha: described(
    'the full hash of a commit on the branch or tag, in hex digits; its tip by default',
    commitId(),
  ),
  tag_name: described('the name of a tag, instead of a branch', keptText(1000)),
  merge_mode: described(
    `how configurations without a mode are merged with the build file: ${mergeModes.join(', ')}`,
    mergeMode(),
  ),
  config: described(
    'a configuration, as an object or a text, to be merged with the build file',
    configText(),
  ),
  configs: configTexts(),
  variables: variables(),
  // Accepted without effect: the service has its own access to the code host.
  token: described('accepted without effect', keptText(10_000)),
})

type Given = Values<typeof accepts>

interface Created extends CreatedRequest {
  repository: Seen<Repository>
  given: Given
  configs: readonly ApiConfig[]
}

/** The given configs, `config` first; `merge_mode` is the default of configs without a mode. */
function configsIn(given: Given): ApiConfig[] {
  const mode = given['request.merge_mode'] ?? null
  const config = given['request.config']
  const own = config === undefined ? [] : [{ config, mode }]
  const others = (given['request.configs'] ?? []).map((each) => ({
    config: each.config,
    mode: each.mode ?? mode,
  }))
  return [...own, ...others]
}

/** Requests a build. The decision comes later, so the response shows what was requested. */
export const createRequestAction = post(repositoryTemplates('/requests'), {
  ...oneRepository,
  login: true,
  scope: 'builds',
  once: true,
  right: 'create_request',
  docs: {
    summary:
      'requests a build of a branch, a tag or a commit on it; limited per hour; needs the right to push',
    fails: ['repository_inactive', 'request_limit_reached'],
    schema: objectOf({
      '@type': constant('pending'),
      remaining_requests: integer,
      repository: refTo('repository.minimal'),
      request: {
        ...anyObject,
        description: 'The parameters of the call, with the id of the request',
      },
      resource_type: constant('request'),
    }),
  },
  conflict: ({ ctx }, repository) => refusalOfRequest(ctx, repository),
  accepts,
  async act(call, repository, given): Promise<Created> {
    const tag = given['request.tag_name']
    if (tag !== undefined && given['request.branch'] !== undefined) {
      const message =
        'parameter branch is ignored, because the request names a tag, and the tag is built'
      warn(call, warning('ignored_parameter', 'request.branch', message))
    }
    const branch = given['request.branch'] ?? repository.default_branch_name
    const configs = configsIn(given)
    const created = await createRequest(call.ctx, actorOf(call), repository, {
      ref: tag === undefined ? refOf('branch', branch) : refOf('tag', tag),
      sha: given['request.sha'],
      message: given['request.message'],
      configs,
      variables: given['request.variables'],
    })
    call.quota = created.quota
    return { ...created, repository, given, configs }
  },
  present: showing(
    [{ resource: repository, representation: 'minimal' }],
    (created, call) =>
      pending('request', {
        remaining_requests: created.remaining,
        repository: presented('minimal', repository, created.repository),
        request: echoOf(created, call),
      }),
    202,
  ),
})

/** The request as it was sent, without omitted parameters. */
function echoOf({ repository, request, given, configs }: Created, { viewer }: Call) {
  const { codehost_id, owner_name, name, default_branch_name } = repository
  const tag_name = given['request.tag_name']
  const shown = configs.map(({ config, mode }) => (mode === null ? { config } : { config, mode }))
  const members = {
    repository: { id: codehost_id, vcs_type: vcsType(repository, 'Repository'), owner_name, name },
    user: { id: viewer.user?.id },
    id: request.id,
    message: given['request.message'],
    branch: tag_name === undefined ? (given['request.branch'] ?? default_branch_name) : undefined,
    tag_name,
    sha: given['request.sha'],
    merge_mode: given['request.merge_mode'],
    configs: shown.length > 0 ? shown : undefined,
    config: given['request.config'],
    variables: given['request.variables'],
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
