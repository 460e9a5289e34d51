import { ServiceError } from '../../../domain/errors.ts'
import { refOf } from '../../../domain/event.ts'
import type { Repository } from '../../../domain/repository.ts'
import { createRequest } from '../../../flow/requests/create-request.ts'
import { previewBuild } from '../../../flow/requests/preview-build.ts'
import { type Call, get, givenIn, post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { previews } from '../../identity/rate-limits.ts'
import { atExpenseOf } from '../../lint/read-for.ts'
import { asPage } from '../as-page.tsx'
import { redirectWith, refusalIn } from '../notice.ts'
import { oneRepository } from '../one-repository.ts'
import { repositoryPath } from '../paths.ts'
import { type BuildNowForm, emptyForm, formIn, readForm, type Wanted } from './form.ts'
import { BuildNowPage } from './page.tsx'

const show = asPage(BuildNowPage)
const none: ReadonlyMap<string, string> = new Map()

const oneForm = { ...oneRepository, login: true, scope: 'builds', right: 'create_request' } as const

export const buildNowPages = [
  get('/:owner/:name/build_now', {
    ...oneForm,
    present: (repository, call) =>
      show({ repository, form: emptyForm(repository), problems: none, preview: null }, call),
  }),

  post('/:owner/:name/build_now', {
    ...oneForm,
    rate: previews,
    async act(call, repository) {
      const given = givenIn(call)
      const form = formIn(given)
      const { wanted, problems } = readForm(form)
      const shown = { repository, form, problems, preview: null }
      if (problems.size > 0) return show(shown, call, 422)
      try {
        if (given.do === 'preview') {
          const preview = await previewOf(call, repository, form, wanted)
          return show({ ...shown, preview }, call)
        }
        await request(call, repository, form, wanted)
      } catch (error) {
        return show({ ...shown, problem: refusalOf(error) }, call, 422)
      }
      const { site } = call.ctx
      return redirectWith(site, repositoryPath(site.prefix, repository), 'requested')
    },
    present: (answer) => answer,
  }),
]

async function request(
  call: Call,
  repository: Repository,
  { kind, ref }: BuildNowForm,
  { sha, message, variables }: Wanted,
): Promise<void> {
  const wanted = { ref: refOf(kind, ref), sha, message, configs: [], variables }
  await createRequest(call.ctx, actorOf(call), repository, wanted)
}

function previewOf(
  call: Call,
  repository: Repository,
  { kind, ref }: BuildNowForm,
  { sha, message }: Wanted,
) {
  const { user } = call.viewer
  const data = {
    sender: user?.login ?? null,
    branch: ref,
    tag: kind === 'tag' ? ref : null,
    ...(message === undefined ? {} : { commit_message: message }),
  }
  const wanted = { ref: sha ?? ref, sender_id: user?.id ?? null, configs: [], data }
  return atExpenseOf(call, (turn) => previewBuild(call.ctx, repository.id, wanted, turn))
}

/** The reason why nothing was requested or previewed, such as a missing commit. */
function refusalOf(error: unknown): string {
  if (error instanceof ServiceError && error.kind === 'client_error') {
    return refusalIn(new ServiceError('unprocessable_entity', error.message))
  }
  return refusalIn(error)
}
