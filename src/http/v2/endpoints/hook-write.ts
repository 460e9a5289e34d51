import type { Repository, Seen } from '../../../domain/repository.ts'
import { setActive } from '../../../flow/repositories/set-active.ts'
import { type Call, givenIn, put } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { id, truth } from '../../parameters/kinds.ts'
import { described, type Values, valuesOf } from '../../parameters/parameter.ts'
import { oneRepository } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { refusals } from '../refusals.ts'
import { repositoryById } from '../repository-settings.ts'

const named = { 'hook.id': described('the id of a repository, unless it is in the path', id()) }

const accepts = {
  ...named,
  'hook.active': described(
    'whether to activate the repository; without it the repository is deactivated',
    truth(),
  ),
}

type Hook = Seen<Repository>

/** A hook has the id of its repository; the id in the path takes precedence over the one in the body. */
const change = {
  ...oneRepository,
  login: true,
  scope: 'settings' as const,
  right: 'admin' as const,
  accepts,
  find: (call: Call) =>
    repositoryById(
      call,
      call.params.hook === undefined
        ? valuesOf(named, givenIn(call))['hook.id']
        : idIn(call.params.hook),
    ),
  refused: {
    status: 403 as const,
    answer: (_call: Call, hook: Hook) =>
      refusals.forbidden(`You don't have access to change hook(${hook.id})`),
  },
  async act(call: Call, repository: Hook, values: Values<typeof accepts>) {
    await setActive(call.ctx, actorOf(call), repository, values['hook.active'])
    return true
  },
  present: (result: boolean) => ({ result }),
}

const docs = {
  summary: 'activates a repository, or deactivates it; needs the right to administer it',
  schema: answers.result,
}

export const hookWriteEndpoints = [
  put('/hooks', { ...change, docs: { ...docs, example: { hook: { id: 1, active: true } } } }),
  put('/hooks/:hook', { ...change, docs: { ...docs, example: { hook: { active: true } } } }),
]
