import { randomUUID } from 'node:crypto';
import mqtt, { ErrorWithReasonCode, type IClientOptions } from 'mqtt';
import { createEnd, within } from '../../../platform/deadline.ts';
import { discoveryOf } from './home-assistant.ts';
import type { OpenSender, Rejection, StreamMessage } from './message.ts';
import { credentialsOf, tlsOptions } from './tls.ts';
import { topicOf } from './topics.ts';

const TOPIC = 'fleetgate/{tenant}/{device}/{kind}';
/** maximum number of messages without PUBACK */
const IN_FLIGHT = 100;
/** MQTT 5, table 2-6: not authorized, topic name invalid, packet too large, payload format invalid */
const REJECTED = new Set([0x87, 0x90, 0x95, 0x99]);

/** MQTT 5 with QoS 1. */
export const openMqtt: OpenSender = async ({ url, topic = TOPIC, options }, { resolve, timeoutMs }) => {
  const target = new URL(url);
  const isSecure = target.protocol === 'mqtts:';
  const settings: IClientOptions = {
    protocol: isSecure ? 'mqtts' : 'mqtt',
    host: await resolve(target.hostname),
    port: Number(target.port || (isSecure ? 8883 : 1883)),
    protocolVersion: 5,
    clientId: String(options['clientId'] ?? `fleetgate-${randomUUID()}`),
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: timeoutMs,
    ...credentialsOf(target, options),
    ...(isSecure ? tlsOptions(target.hostname, options) : {}),
  };
  const { ended, end } = createEnd();
  const client = mqtt.connect(settings);
  let problem: Error | undefined;
  client.on('error', (error) => {
    problem = error;
  });
  client.once('close', () => end(problem ?? new Error('the connection was closed')));
  const close = async (): Promise<void> => {
    end(new Error('the stream is closed'));
    client.end(true);
  };
  let windowSize = IN_FLIGHT;
  const connected = new Promise<void>((resolved) => {
    client.once('connect', ({ properties }) => {
      windowSize = Math.min(IN_FLIGHT, properties?.receiveMaximum ?? IN_FLIGHT);
      resolved();
    });
  });
  try {
    await within(connected, timeoutMs, ended);
  } catch (error) {
    await close();
    throw error;
  }
  const isDiscovered = new Set<string>();
  const publish = async (message: StreamMessage): Promise<Rejection[]> => {
    const { id, kind, tenant, device, body } = message;
    const name = topicOf(topic, message);
    let discovered: Promise<unknown> | undefined;
    if (options['homeAssistant'] === true && kind === 'position' && device !== undefined && !isDiscovered.has(device)) {
      isDiscovered.add(device);
      const discovery = discoveryOf(tenant, device, name);
      // not awaited here, otherwise later positions would overtake this one
      discovered = client.publishAsync(discovery.topic, discovery.payload, { qos: 1, retain: true });
    }
    const published = client.publishAsync(name, body, {
      qos: 1,
      retain: options['retained'] === true && kind === 'position',
      properties: { contentType: 'application/cloudevents+json', userProperties: { id, type: kind, tenant } },
    });
    try {
      await Promise.all([published, discovered]);
      return [];
    } catch (error) {
      if (!(error instanceof ErrorWithReasonCode) || !REJECTED.has(error.code)) throw error;
      return [{ message, reason: error.message }];
    }
  };
  return {
    async send(messages) {
      const rejections: Rejection[] = [];
      for (let at = 0; at < messages.length; at += windowSize) {
        const window = messages.slice(at, at + windowSize).map(publish);
        for (const rejected of await within(Promise.all(window), timeoutMs, ended)) rejections.push(...rejected);
      }
      return rejections;
    },
    close,
  };
};
