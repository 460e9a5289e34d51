import { type Repository, slugOf } from '../../../domain/repository.ts'
import type { SshKey } from '../../../domain/ssh-key.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import type { PublicKey } from '../../../store/secrets/key-pairs.ts'
import { Fact, Facts } from '../parts/facts.tsx'
import { Field, type FieldProblems, FieldSummary } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import type { Frame } from '../parts/layout.tsx'
import { SameByApi } from '../parts/same-by-api.tsx'
import { SettingsFrame } from '../parts/settings-frame.tsx'
import { Time } from '../parts/time.tsx'
import { keysPath } from '../paths.ts'

/** A custom key as it is shown: its private value is never read. */
export type ShownKey = Pick<SshKey, 'description' | 'fingerprint' | 'updated_at'>

interface KeysPageProps {
  frame: Frame
  now: Date
  repository: Repository
  /** The pair that the service generated for the repository. */
  pair: PublicKey | undefined
  custom: ShownKey | undefined
  /** The values entered in the form, without the key. */
  description: string
  problems: FieldProblems
}

/** The keys of a repository: the generated pair, and the SSH key that jobs use in its place. */
export function KeysPage(props: KeysPageProps) {
  const { frame, now, repository, pair, custom, problems } = props
  const { prefix, viewer } = frame
  const slug = slugOf(repository)
  const path = `/repo/${encodeURIComponent(slug)}/key_pair`
  return (
    <SettingsFrame frame={frame} repository={repository} name="Keys" problems={problems}>
      <FieldSummary problems={problems} />
      <h2 id="pair">Generated key pair</h2>
      <p>
        Values in the build file are encrypted with its public key, as{' '}
        <code>build-service encrypt</code> does. Jobs use it for SSH, unless there is a custom key.
      </p>
      {pair ? (
        <>
          <Facts>
            <Fact name="Fingerprint">
              <code>{pair.fingerprint}</code>
            </Fact>
          </Facts>
          <pre class="yaml">{pair.public_key}</pre>
        </>
      ) : (
        <p class="empty">It is generated when it is needed for the first time.</p>
      )}
      <h2 id="custom">Custom SSH key</h2>
      {custom ? (
        <>
          <Facts>
            <Fact name="Description">
              <bdi>{visible(custom.description)}</bdi>
            </Fact>
            <Fact name="Fingerprint">
              <code>{custom.fingerprint ?? 'not known'}</code>
            </Fact>
            <Fact name="Set">
              <Time at={custom.updated_at} now={now} />
            </Fact>
          </Facts>
          <Form viewer={viewer} action={keysPath(prefix, repository, '/delete')}>
            <button class="danger">Remove the key</button>
          </Form>
        </>
      ) : (
        <p>There is none, so jobs use the generated key.</p>
      )}
      <KeyForm {...props} />
      <SameByApi
        prefix={prefix}
        scope="settings"
        calls={[
          {
            method: 'POST',
            path,
            body: { 'key_pair.value': '…', 'key_pair.description': '…' },
            action: { resource: 'key_pair', name: 'create' },
            does: 'Set the custom key',
          },
          {
            method: 'DELETE',
            path,
            action: { resource: 'key_pair', name: 'delete' },
            does: 'Remove it',
          },
          {
            method: 'POST',
            path: `${path}/generated`,
            action: { resource: 'key_pair_generated', name: 'create' },
            does: 'Generate a new pair: values encrypted with the old one are lost',
          },
        ]}
      />
    </SettingsFrame>
  )
}

function KeyForm({ frame, repository, custom, description, problems }: KeysPageProps) {
  const { prefix, viewer } = frame
  return (
    <>
      <h3>{custom ? 'Replace it' : 'Set one'}</h3>
      <Form viewer={viewer} action={keysPath(prefix, repository)} class="stacked">
        <Field name="description" label="Description" problems={problems}>
          {(attributes) => (
            <input {...attributes} value={description} maxlength={1000} autocomplete="off" />
          )}
        </Field>
        <Field
          name="value"
          label="Private key"
          hint="In PEM or in the format of OpenSSH, without a passphrase. It is never shown again."
          problems={problems}
        >
          {(attributes) => (
            <textarea {...attributes} rows={6} required autocomplete="off" spellcheck={false} />
          )}
        </Field>
        <button class="main">Set the key</button>
      </Form>
    </>
  )
}
