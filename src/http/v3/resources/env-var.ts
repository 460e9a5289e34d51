import { repositoryRights } from '../../../access/repository-rights.ts'
import type { EnvVar } from '../../../domain/env-var.ts'
import { notFound } from '../../../domain/errors.ts'
import { changeEnvVar, removeEnvVar } from '../../../flow/secrets/env-vars.ts'
import { sealedIn } from '../../../secrets/sealed-records.ts'
import {
  type Keeping,
  repositoryWithEnvVar,
} from '../../../store/repositories/repository-settings-view.ts'
import type { Call } from '../../core/endpoint.ts'
import type { InRepository } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { text } from '../../openapi/schema.ts'
import { textOrNull } from '../../parameters/fields.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { actionsOf, del, get, patch } from '../core/action.ts'
import { as, asNothing } from '../core/presented.ts'
import { absent, each, resourceOf } from '../core/resource.ts'
import { repositoryTemplates, repositoryWith } from '../records/one-repository.ts'
import { changedVariable } from '../records/variable-members.ts'
import { warnUnmasked } from '../records/warn-unmasked.ts'

type EnvVarModel = InRepository<EnvVar>

declare module '../core/resource.ts' {
  interface Models {
    env_var: EnvVarModel
  }
}

const minimal = ['id', 'name', 'public', 'branch'] as const

export const envVar = resourceOf<EnvVarModel>()({
  type: 'env_var',
  href: ({ repository_id, id }) => `/repo/${repository_id}/env_var/${id}`,
  // Names are visible only to users who can change them.
  rights(viewer, { repository }) {
    const { write } = repositoryRights(viewer, repository)
    return { read: write, write }
  },
  permissions: ['read', 'write'],
  representations: { minimal, standard: ['id', 'name', 'value', 'public', 'branch'] },
  values: {
    value: each(({ id, sealed_value, public: isShown }, { ctx }) =>
      isShown ? ctx.sealer.openText(sealedIn.envVar(id), sealed_value) : absent,
    ),
  },
  types: { id: text },
  optional: ['value'],
})

const oneEnvVar = {
  type: 'env_var',
  login: true,
  within: repositoryWith((db, ref, userId, { env_var = '' }) =>
    repositoryWithEnvVar(db, ref, userId, env_var),
  ),
  async find(_call: Call, { kept, ...repository }: Keeping<EnvVar>) {
    return kept ? { ...kept, repository } : undefined
  },
  rights: envVar.rights,
}

const template = repositoryTemplates('/env_var/{env_var.id}')

export const envVarActions = actionsOf(envVar, {
  find: get(template, {
    ...oneEnvVar,
    right: 'read',
    docs: {
      summary:
        'a variable of a repository; its value is shown only if it is public; needs the right to push',
    },
    present: as('standard', envVar),
  }),

  update: patch(template, {
    ...oneEnvVar,
    scope: 'settings',
    right: 'write',
    docs: {
      summary:
        'updates the given fields of a variable; a value that becomes public is shown; needs the right to push',
      fails: ['duplicate_resource'],
    },
    accepts: ofType('env_var', {
      ...changedVariable,
      branch: described(
        'the branch whose jobs get the variable; null for all branches',
        textOrNull(),
      ),
    }),
    async act(call, { repository, ...variable }, values): Promise<EnvVarModel> {
      const changes = {
        name: values['env_var.name'],
        value: values['env_var.value'],
        public: values['env_var.public'],
        branch: values['env_var.branch'],
      }
      const changed = await changeEnvVar(call.ctx, actorOf(call), variable, changes, {
        distinct: true,
      })
      if (!changed) throw notFound('env_var')
      if (changes.value !== undefined || changes.public !== undefined) {
        warnUnmasked(call, 'env_var', changed)
      }
      return { ...changed, repository }
    },
    present: as('standard', envVar),
  }),

  delete: del(template, {
    ...oneEnvVar,
    scope: 'settings',
    right: 'write',
    docs: { summary: 'removes a variable of a repository; needs the right to push' },
    async act(call, variable) {
      if (!(await removeEnvVar(call.ctx, actorOf(call), variable))) throw notFound('env_var')
    },
    present: asNothing,
  }),
})
