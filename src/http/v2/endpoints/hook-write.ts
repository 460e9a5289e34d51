import type { Repository, Seen } from '../../../domain/repository.ts'
import { setActive } from '../../../flow/set-active.ts'
import { actorOf } from '../../actor.ts'
import { type Call, givenIn, put } from '../../endpoint.ts'
import { id, truth } from '../../parameters/kinds.ts'
import { idIn } from '../../find-record.ts'
import { described, type Values, valuesOf } from '../../parameters/parameter.ts'
import { oneRepository } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { repositoryById } from '../repository-settings.ts'
import { refusals } from '../refusals.ts'

const named = { 'hook.id': described('the id of a repository, unless it is in the path', id()) }

const accepts = {
  ...named,
  'hook.active': described(
    'whether it is to be active; without it the repository is deactivated',
    truth(),
  ),
}

type Hook = Seen<Repository>

/** A hook has the id of its repository; the one in the path counts before the one in the body. */
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
  refused: (_call: Call, hook: Hook) =>
    refusals.forbidden(`You don't have access to change hook(${hook.id})`),
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
