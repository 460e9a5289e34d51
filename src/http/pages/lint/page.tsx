import { lintScript } from '../assets.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { codesPath, homePath, lintPath, scriptPath } from '../paths.ts'
import type { Asked } from './lint-form.ts'
import type { Checked } from './check.ts'
import { EventFields } from './event-fields.tsx'
import { FindingsPart, Summary } from './findings-part.tsx'
import { MadePart } from './expansion-part.tsx'

interface LintPageProps {
  frame: Frame
  asked: Asked
  /** Null before anything was checked. */
  checked: Checked | null
}

const example = 'language: node_js\nnode_js: [20, 24]\nscript: npm test'

/**
 * Where one pastes a build file and sees what the service makes of it. A form; a script only sends it
 * while one types, and puts what changed in the place of what it was (`client/lint.js`).
 */
export function LintPage({ frame, asked, checked }: LintPageProps) {
  const { prefix } = frame
  return (
    <Layout
      {...frame}
      title="Check a build file"
      crumbs={[{ text: 'Repositories', href: homePath(prefix) }, { text: 'Check a build file' }]}
      script={scriptPath(prefix, lintScript)}
    >
      <h1>Check a build file</h1>
      <p>
        Paste a <code>.service.yml</code> to see what this service would say about it, what else
        could be better, and which jobs it makes. It is not kept.{' '}
        <a href={codesPath(prefix)}>What the linter finds</a>
      </p>
      <form class="lint" method="post" action={lintPath(prefix)}>
        <div class="given">
          <label for="file">Build file</label>
          <textarea
            id="file"
            name="content"
            rows={18}
            placeholder={example}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
          >
            {/* A browser drops the first line break. */}
            {`\n${checked?.text ?? asked.text}`}
          </textarea>
          <EventFields asked={asked} />
          <button class="main">Check</button>
        </div>
        <section aria-labelledby="findings">
          <h2 id="findings">Findings</h2>
          <Summary checked={checked} />
          <FindingsPart prefix={prefix} checked={checked} />
        </section>
      </form>
      <MadePart asked={asked} checked={checked} />
    </Layout>
  )
}
