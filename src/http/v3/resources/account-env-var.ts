import type { EnvVar } from '../../../domain/env-var.ts'
import { notFound } from '../../../domain/errors.ts'
import { changeEnvVar } from '../../../flow/change-env-var.ts'
import { removeEnvVar } from '../../../flow/remove-env-var.ts'
import { sealedIn } from '../../../secrets/sealed-records.ts'
import { findEnvVar } from '../../../store/env-vars.ts'
import { ownerRefOf, type SeenOwner } from '../../../store/seen-owners.ts'
import { actorOf } from '../../actor.ts'
import type { Call } from '../../endpoint.ts'
import { text } from '../../openapi/schema.ts'
import { variableValue, changedVariableName, settingFlag } from '../../parameters/fields.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { actionsOf, del, get, patch } from '../action.ts'
import { ownerByIdTemplates, oneOwnerById, ownerRights } from '../one-owner.ts'
import { as, asNothing } from '../presented.ts'
import { absent, each, resourceOf } from '../resource.ts'
import { warnUnmasked } from '../warn-unmasked.ts'

/** A variable for all repositories of an owner, as one user sees that owner. */
type AccountEnvVar = EnvVar & { owner: SeenOwner }

declare module '../resource.ts' {
  interface Models {
    account_env_var: AccountEnvVar
  }
}

export const accountEnvVar = resourceOf<AccountEnvVar>()({
  type: 'account_env_var',
  href: ({ id, owner: { type, model } }) =>
    `/${type === 'user' ? 'user' : 'org'}/${model.id}/account_env_var/${id}`,
  // As with those of a repository: names are of use to those who can change them.
  rights(viewer, { owner }) {
    const { write } = ownerRights(viewer, owner)
    return { read: write, write }
  },
  permissions: ['read', 'write'],
  representations: {
    minimal: ['id', 'name', 'public'],
    standard: ['id', 'name', 'value', 'public'],
  },
  values: {
    value: each(({ id, sealed_value, public: isShown }, { ctx }) =>
      isShown ? ctx.sealer.openText(sealedIn.envVar(id), sealed_value) : absent,
    ),
  },
  types: { id: text },
  optional: ['value'],
})

const oneAccountEnvVar = {
  type: 'account_env_var',
  login: true,
  within: oneOwnerById,
  async find({ ctx, params }: Call, owner: SeenOwner): Promise<AccountEnvVar | undefined> {
    const variable = await findEnvVar(ctx.db, params.account_env_var ?? '')
    const { owner_type, owner_id } = ownerRefOf(owner)
    const isItsOwn = variable?.owner_type === owner_type && variable.owner_id === owner_id
    return isItsOwn ? { ...variable, owner } : undefined
  },
  rights: accountEnvVar.rights,
}

const template = ownerByIdTemplates('/account_env_var/{account_env_var.id}')

export const accountEnvVarActions = actionsOf(accountEnvVar, {
  find: get(template, {
    ...oneAccountEnvVar,
    right: 'read',
    docs: {
      summary:
        'a variable of an owner, with its value if that is public; for admins of the organization, or the user',
    },
    present: as('standard', accountEnvVar),
  }),

  update: patch(template, {
    ...oneAccountEnvVar,
    scope: 'settings',
    right: 'write',
    docs: {
      summary:
        'changes what is sent of a variable of an owner; a value that becomes public is shown; for admins of the organization, or the user',
      fails: ['duplicate_resource'],
    },
    accepts: ofType('account_env_var', {
      name: described('the name that jobs see', changedVariableName()),
      value: described(
        'the value, which is never shown again unless it is public',
        variableValue(),
      ),
      public: described('whether the value is shown, over the API and in logs', settingFlag()),
    }),
    async act(call, { owner, ...variable }, values): Promise<AccountEnvVar> {
      const changes = {
        name: values['account_env_var.name'],
        value: values['account_env_var.value'],
        public: values['account_env_var.public'],
        branch: undefined,
      }
      const changed = await changeEnvVar(call.ctx, actorOf(call), variable, changes, {
        distinct: true,
      })
      if (!changed) throw notFound('account_env_var')
      if (changes.value !== undefined || changes.public !== undefined) {
        warnUnmasked(call, 'account_env_var', changed)
      }
      return { ...changed, owner }
    },
    present: as('standard', accountEnvVar),
  }),

  delete: del(template, {
    ...oneAccountEnvVar,
    scope: 'settings',
    right: 'write',
    docs: {
      summary: 'removes a variable of an owner; for admins of the organization, or the user',
    },
    async act(call, variable) {
      if (!(await removeEnvVar(call.ctx, actorOf(call), variable)))
        throw notFound('account_env_var')
    },
    present: asNothing,
  }),
})
