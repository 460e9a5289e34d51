import { addEnvVar } from '../../../flow/secrets/env-vars.ts'
import { ownerRefOf } from '../../../store/people/seen-owners.ts'
import { envVarsOfOwners } from '../../../store/secrets/env-vars.ts'
import { actorOf } from '../../identity/actor.ts'
import { ofType } from '../../parameters/parameter.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import { asCreated } from '../core/presented.ts'
import type { Models } from '../core/resource.ts'
import { oneOwnerById, ownerByIdTemplates } from '../records/one-owner.ts'
import { newVariable } from '../records/variable-members.ts'
import { warnUnmasked } from '../records/warn-unmasked.ts'
import { accountEnvVar } from './account-env-var.ts'

export const accountEnvVars = collectionOf<Models['account_env_var']>()({
  type: 'account_env_vars',
  of: accountEnvVar,
})

const template = ownerByIdTemplates('/account_env_vars')

export const accountEnvVarsActions = actionsOf(accountEnvVars, {
  for_owner: get(
    template,
    listSteps(
      accountEnvVars,
      {
        ...oneOwnerById,
        login: true,
        right: 'write',
        docs: {
          summary:
            'the variables that an owner has for all repositories; only for admins of the owner; not paginated',
        },
      },
      async ({ ctx }, owner) => {
        const [variables = []] = await envVarsOfOwners(ctx.db, [ownerRefOf(owner)])
        return variables.map((variable) => ({ ...variable, owner }))
      },
    ),
  ),

  create: post(template, {
    ...oneOwnerById,
    login: true,
    scope: 'settings',
    once: true,
    right: 'write',
    docs: {
      summary:
        'adds a variable for all repositories of an owner; their own variables win over it, and forks never get it; only for admins of the owner',
      fails: ['duplicate_resource'],
    },
    accepts: ofType('account_env_var', newVariable),
    async act(call, owner, values) {
      const given = {
        ...ownerRefOf(owner),
        name: values['account_env_var.name'],
        value: values['account_env_var.value'] ?? '',
        public: values['account_env_var.public'] ?? false,
        branch: null,
      }
      const added = await addEnvVar(call.ctx, actorOf(call), given, { distinct: true })
      warnUnmasked(call, 'account_env_var', added)
      return { ...added, owner }
    },
    present: asCreated('standard', accountEnvVar),
  }),
})
