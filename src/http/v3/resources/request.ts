import { requestRights } from '../../../access/build-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { presentRequestConfig } from '../../../domain/config/shown-config.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { type Request, requestStates } from '../../../domain/request/request.ts'
import { time } from '../../../domain/time/api-time.ts'
import { approveRequest } from '../../../flow/requests/approve-request.ts'
import { repositoryWithRequest } from '../../../store/builds/build-view.ts'
import { findSeenRequest } from '../../../store/repositories/repository-access.ts'
import { findRequestIn } from '../../../store/requests/listed-requests.ts'
import {
  partsOfRequests,
  type RequestParts,
  requestPartsIn,
} from '../../../store/requests/request-parts.ts'
import { type Call, findParent } from '../../core/endpoint.ts'
import { findRecord, idIn, type InRepository } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { oneOf } from '../../openapi/schema.ts'
import { visibleBuild } from '../../views/last-builds.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf, type View } from '../core/resource.ts'
import { oneRepository, refIn, repositoryTemplates } from '../records/one-repository.ts'
import { loader } from '../render/loader.ts'
import { ownersOf } from '../render/reads.ts'
import { charactersLeft, tooLong } from '../render/response-budget.ts'
import { knowBeside } from '../render/shown.ts'

export type RequestModel = InRepository<Request>

declare module '../core/resource.ts' {
  interface Models {
    request: RequestModel
  }
}

const loadParts = loader<RequestModel, RequestParts | undefined>(
  ({ id }) => id,
  async ({ ctx, call }, requests) => {
    const ids = requests.map(({ id }) => id)
    const parts = await partsOfRequests(ctx.db, ids, charactersLeft(call))
    if (!parts) throw tooLong()
    return parts
  },
)

/** A value for each request, computed from its parts, which are read once per call. */
function ofParts<V>(value: (parts: RequestParts, request: RequestModel) => V) {
  return async (view: View, requests: readonly RequestModel[]): Promise<(V | null)[]> => {
    const found = await loadParts(view, requests)
    return requests.map((request, index) => {
      const parts = found[index]
      return parts ? value(parts, request) : null
    })
  }
}

/** The result as V3 names it: `accepted` is `approved`. */
export const shownResult = ({ result }: Pick<Request, 'result'>) =>
  result === 'accepted' ? 'approved' : result

const minimal = ['id', 'state', 'result', 'message', 'pull_request_mergeable'] as const

export const request = resourceOf<RequestModel>()({
  type: 'request',
  href: ({ repository_id, id }) => `/repo/${repository_id}/request/${id}`,
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: {
    minimal,
    standard: [
      ...minimal,
      'repository',
      'branch_name',
      'commit',
      'builds',
      'owner',
      'created_at',
      'event_type',
      'base_commit',
      'head_commit',
      'messages',
      'config',
      'raw_configs',
    ],
  },
  includable: ['yaml_config'],
  values: {
    result: each(shownResult),
    pull_request_mergeable: each(({ mergeable_state }) => mergeable_state),
    branch_name: ofParts(({ commit }) => commit?.branch ?? null),
    created_at: each(({ created_at }) => time(created_at)),
    config: each(({ config }) => presentRequestConfig(config ?? {})),
    yaml_config: ofParts(({ raw_configs: [first] }) => first?.text ?? null),
  },
  links: {
    repository: { to: 'repository', read: each(({ repository }) => repository) },
    commit: {
      to: 'commit',
      read: ofParts(({ commit }, of) => commit && { ...commit, ...guardOf(of) }),
    },
    builds: {
      to: 'build',
      read: ofParts(({ build }, { repository }) => {
        const visible = visibleBuild(repository, build)
        return visible ? [{ ...visible, repository }] : []
      }),
    },
    owner: { to: ['user', 'organization'], read: ownersOf },
    messages: {
      to: 'message',
      read: ofParts(({ messages }, of) => messages.map((each) => ({ ...each, ...guardOf(of) }))),
    },
    raw_configs: {
      to: 'request_raw_configuration',
      read: ofParts(({ raw_configs }, of) =>
        raw_configs.map((each) => ({ ...each, ...guardOf(of) })),
      ),
    },
  },
  types: { state: oneOf(requestStates) },
})

/** The data that decides who can see the parts of a request. */
export const guardOf = (request: RequestModel) => ({
  private: request.private,
  repository: request.repository,
})

/** The steps shared by endpoints for one request of a repository. */
export const oneRequest = {
  type: 'request',
  within: oneRepository,
  async find({ ctx, params }: Call, repository: Seen<Repository>) {
    const id = idIn(params.request)
    const found = id === undefined ? undefined : await findRequestIn(ctx.db, repository, id)
    return found && { ...found, repository }
  },
  rights: request.rights,
}

/** The repository that a path names, with the request and all records shown with it. */
const withShownRequest = {
  ...oneRepository,
  async find(call: Call) {
    const { ctx, viewer, params } = call
    const ref = refIn(params)
    return ref && repositoryWithRequest(ctx.db, ref, permittedUser(viewer), idIn(params.request))
  },
}

const approvePath = '/request/{request.id}/approve'

export const requestActions = actionsOf(request, {
  find: get(repositoryTemplates('/request/{request.id}'), {
    ...oneRequest,
    within: withShownRequest,
    async find(call, { request: found, ...repository }): Promise<RequestModel | undefined> {
      if (!found) return
      const { commit, build, messages, raw_configs, beside, memberships, ...own } = found
      const shown = { ...own, repository }
      knowBeside(call, { beside, memberships })
      loadParts.know(call, [shown], [requestPartsIn({ commit, build, messages, raw_configs })])
      return shown
    },
    right: 'read',
    docs: {
      summary:
        'a request, accepted or not, with its commit, builds and configuration; encrypted values are shown as `[secure]`',
    },
    present: as('standard', request),
  }),
  approve: post([...repositoryTemplates(approvePath), approvePath], {
    type: 'request',
    login: true,
    scope: 'builds',
    async find(call: Call) {
      if (call.params.repository === undefined) {
        return findRecord(call, call.params.request, findSeenRequest)
      }
      return oneRequest.find(call, await findParent(oneRepository, call))
    },
    rights: request.rights,
    right: 'write',
    docs: {
      summary:
        'lets builds of a fork’s pull request run, for 30 days or until the request has another commit; needs the right to push',
      fails: ['unprocessable_entity'],
    },
    async act(call, found): Promise<RequestModel> {
      const approved = await approveRequest(call.ctx, actorOf(call), found.id)
      return approved ? { ...found, ...approved } : found
    },
    present: as('standard', request),
  }),
})
