import { addEnvVar } from '../../../flow/secrets/env-vars.ts'
import { envVarsOf } from '../../../store/secrets/env-vars.ts'
import { actorOf } from '../../identity/actor.ts'
import { textOrNull } from '../../parameters/fields.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import { asCreated } from '../core/presented.ts'
import type { Models } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { newVariable } from '../records/variable-members.ts'
import { warnUnmasked } from '../records/warn-unmasked.ts'
import { envVar } from './env-var.ts'

export const envVars = collectionOf<Models['env_var']>()({ type: 'env_vars', of: envVar })

const template = repositoryTemplates('/env_vars')

export const envVarsActions = actionsOf(envVars, {
  for_repository: get(
    template,
    listSteps(
      envVars,
      {
        ...oneRepository,
        login: true,
        right: 'write',
        docs: {
          summary:
            'the variables of a repository, with the values of public ones; needs the right to push; not paginated',
        },
      },
      async ({ ctx }, repository) =>
        (await envVarsOf(ctx.db, repository.id)).map((variable) => ({ ...variable, repository })),
    ),
  ),

  create: post(template, {
    ...oneRepository,
    login: true,
    scope: 'settings',
    once: true,
    right: 'create_env_var',
    docs: {
      summary:
        'adds a variable to a repository; a name can be used once for each branch; needs the right to push',
      fails: ['duplicate_resource'],
    },
    accepts: ofType('env_var', {
      ...newVariable,
      branch: described(
        'the branch whose jobs get the variable; null for all branches',
        textOrNull(),
      ),
    }),
    async act(call, repository, values) {
      const given = {
        repository_id: repository.id,
        name: values['env_var.name'],
        value: values['env_var.value'] ?? '',
        public: values['env_var.public'] ?? false,
        branch: values['env_var.branch'] ?? null,
      }
      const added = await addEnvVar(call.ctx, actorOf(call), given, { distinct: true })
      warnUnmasked(call, 'env_var', added)
      return { ...added, repository }
    },
    present: asCreated('standard', envVar),
  }),
})
