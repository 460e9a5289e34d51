import { setActive } from '../../../flow/set-active.ts'
import { actorOf } from '../../actor.ts'
import { type Call, givenIn, put } from '../../endpoint.ts'
import { id, truth } from '../../parameters/kinds.ts'
import { idIn } from '../../find-record.ts'
import { valuesOf } from '../../parameters/parameter.ts'
import { oneRepository } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { repositoryById } from '../repository-settings.ts'
import { refusals } from '../refusals.ts'

const named = { 'hook.id': id() }

export const hookWriteEndpoints = [
  // A hook has the id of its repository; the one in the path counts before the one in the body.
  put(['/hooks', '/hooks/:hook'], {
    ...oneRepository,
    login: true,
    scope: 'settings',
    right: 'admin',
    docs: { schema: answers.result },
    accepts: { ...named, 'hook.active': truth() },
    find: (call: Call) =>
      repositoryById(
        call,
        call.params.hook === undefined
          ? valuesOf(named, givenIn(call))['hook.id']
          : idIn(call.params.hook),
      ),
    refused: (_call, hook) =>
      refusals.forbidden(`You don't have access to change hook(${hook.id})`),
    async act(call, repository, { 'hook.active': active }) {
      await setActive(call.ctx, actorOf(call), repository, active)
      return true
    },
    present: (result) => ({ result }),
  }),
]
