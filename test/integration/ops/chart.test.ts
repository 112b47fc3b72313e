import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeKubernetesSchemas } from '../../support/kubernetes-schemas.ts';
import { needs } from '../../support/programs.ts';

const CHART = 'deploy/helm/fleetgate';
const examples = readdirSync(join(CHART, 'examples'));

describe.skipIf(needs('helm') === undefined)('the Helm chart', () => {
  const helm = needs('helm')!;
  const template = (...args: readonly string[]): string =>
    execFileSync(helm, ['template', 'acme', CHART, '--kube-version', '1.33.0', ...args], { encoding: 'utf8' });
  const withValues = (name: string): readonly string[] => ['--values', join(CHART, 'examples', name)];

  test.each(examples)('passes helm lint with %s', (name) => {
    const { status, stdout } = spawnSync(helm, ['lint', '--strict', CHART, ...withValues(name)], { encoding: 'utf8' });
    expect(status, stdout).toBe(0);
  });

  describe.skipIf(needs('kubeconform') === undefined || needs('go') === undefined)('by kubeconform', () => {
    let folder: string;
    beforeAll(() => {
      folder = writeKubernetesSchemas(needs('go')!, mkdtempSync(join(tmpdir(), 'fleetgate-kubernetes-')));
    }, 300_000);
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each(examples)('makes objects of Kubernetes with %s', (name) => {
      const schemas = join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
      // definitions of the Prometheus operator are not those of Kubernetes
      const args = ['-strict', '-summary', '-skip', 'ServiceMonitor', '-schema-location', schemas];
      const input = template(...withValues(name));
      const { status, stdout } = spawnSync(needs('kubeconform')!, args, { input, encoding: 'utf8' });
      expect(status, stdout).toBe(0);
      expect(stdout).toMatch(/Invalid: 0, Errors: 0/);
    });
  });

  test('writes no secret, and every container runs without rights', () => {
    for (const name of examples) {
      const objects = template(...withValues(name));
      expect(objects).not.toMatch(/^kind: Secret$/m);
      const containers = objects.match(/^ {6}containers:$/gm)?.length ?? 0;
      // API, gateway, upgrade
      expect(containers).toBe(name === 'monitoring.yaml' ? 4 : 3);
      expect(objects.match(/readOnlyRootFilesystem: true/g)).toHaveLength(containers);
      expect(objects.match(/allowPrivilegeEscalation: false/g)).toHaveLength(containers);
      expect(objects.match(/drop: \[ALL\]/g)).toHaveLength(containers);
    }
  });

  test('gives each gateway a volume that outlives it, the limits of its spool, and its name as GATEWAY_ID', () => {
    const objects = template();
    expect(objects).toMatch(/whenScaled: Retain/);
    expect(objects).toMatch(/- name: GATEWAY_ID\n +valueFrom: \{ fieldRef: \{ fieldPath: metadata\.name \} \}/);
    expect(objects).toMatch(/name: SET_ASIDE_MAX_BYTES, value: "1073741824"/);
    expect(objects).toMatch(/value: "http:\/\/acme-fleetgate-api:8080"/);
  });

  test('lets the probe reach the service of the gateways, or the load balancer that sends the PROXY protocol', () => {
    const probed = template(...withValues('monitoring.yaml'));
    expect(probed).toMatch(/- --host=acme-fleetgate-gateway\n +- --port=5300\n/);
    expect(probed).toMatch(
      /name: API_KEY\n +valueFrom:\n +secretKeyRef: \{ name: "fleetgate-probe", key: "api-key" \}/,
    );
    const behind = [
      'template',
      'acme',
      CHART,
      '--kube-version',
      '1.33.0',
      '--set',
      'probe.enabled=true',
      ...withValues('proxy-protocol.yaml'),
    ];
    expect(spawnSync(helm, behind, { encoding: 'utf8' }).stderr).toContain('probe.host must name the load balancer');
    expect(template(...behind.slice(5), '--set', 'probe.host=devices.example.com')).toContain(
      '- --host=devices.example.com',
    );
  });

  test('drains pods: not ready first, connections in waves, and a grace period that is longer than that', () => {
    const objects = template();
    for (const [name, value] of [
      ['DRAIN_NOTICE_S', '5'],
      ['DRAIN_CLOSE_S', '30'],
      ['DRAIN_PUSH_S', '20'],
    ]) {
      expect(objects).toContain(`- { name: ${name}, value: "${value}" }`);
    }
    expect(objects).toMatch(/terminationGracePeriodSeconds: 75/);
    // a device that connects again must not be led back to a gateway that takes nothing
    expect(objects).toMatch(/^ {2}sessionAffinity: None$/m);
    const short = ['template', 'acme', CHART, '--kube-version', '1.33.0', '--set', 'gateway.drain.pushSeconds=60'];
    expect(spawnSync(helm, short, { encoding: 'utf8' }).stderr).toContain('must be longer than the sum');
  });

  test('keeps the heads of the audit chains outside of the pods where it is told how', () => {
    expect(template()).not.toContain('AUDIT_ANCHOR');
    const kept = template('--set', 'audit.persistence.enabled=true', '--set', 'audit.anchorUrl=https://a.example/');
    expect(kept).toMatch(/name: AUDIT_ANCHOR, value: \/audit\/audit-anchor\.jsonl/);
    expect(kept).toMatch(/name: AUDIT_ANCHOR_URL, value: "https:\/\/a\.example\/"/);
    expect(kept).toMatch(/claimName: acme-fleetgate-audit/);
    expect(kept).toMatch(/kind: PersistentVolumeClaim\nmetadata:\n {2}name: acme-fleetgate-audit/);
  });

  test('delivers the volumes of gateways that were scaled away, under their names', () => {
    const objects = template('--set', 'gateway.drainVolumes={2}');
    expect(objects).toMatch(/args: \[spool, push\]/);
    expect(objects).toMatch(/name: GATEWAY_ID, value: "acme-fleetgate-gateway-2"/);
    expect(objects).toMatch(/claimName: "spool-acme-fleetgate-gateway-2"/);
    const running = ['template', 'acme', CHART, '--kube-version', '1.33.0', '--set', 'gateway.drainVolumes={1}'];
    expect(spawnSync(helm, running, { encoding: 'utf8' }).stderr).toContain('gateway 1 runs');
  });

  test('lets Prometheus read the metrics with a token that gives access to nothing else', () => {
    const objects = template(...withValues('monitoring.yaml'));
    expect(objects.match(/credentials: \{ name: fleetgate-keys, key: metrics-token \}/g)).toHaveLength(2);
    expect(objects).not.toMatch(/credentials: \{ name: fleetgate-keys, key: api-key \}/);
    expect(objects.match(/name: METRICS_TOKEN$/gm)).toHaveLength(2);
  });

  test('makes backups each night where they are asked for', () => {
    const objects = template('--set', 'backup.enabled=true,backup.url=s3://b/p,backup.recipients={age1x}');
    expect(objects).toMatch(/kind: CronJob/);
    expect(objects).toMatch(/args: \[backup, take, --keep, "14"\]/);
    expect(objects).toMatch(/name: BACKUP_RECIPIENTS, value: "age1x"/);
  });

  test('opens the ports of single protocols in settings, pod and service alike', () => {
    const objects = template(...withValues('ingress.yaml'));
    expect(objects).toMatch(/- \{ name: PORT_TELTONIKA, value: "5027" \}/);
    expect(objects).toMatch(/- \{ name: teltonika, containerPort: 5027, protocol: TCP \}/);
    expect(objects).toMatch(/- \{ name: teltonika, port: 5027, targetPort: teltonika, protocol: TCP \}/);
  });
});
