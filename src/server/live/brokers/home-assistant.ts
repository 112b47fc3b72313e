/**
 * Discovery message of a device tracker for Home Assistant (integration MQTT): it reads the position from the attributes
 * of the device's topic.
 */
export function discoveryOf(tenant: string, device: string, topic: string): { topic: string; payload: string } {
  const id = `fleetgate_${tenant}_${device}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const attributes = ['latitude', 'longitude', 'speed', 'course', 'altitude'].map(
    (name) => `'${name}': value_json.data.${name}`,
  );
  return {
    topic: `homeassistant/device_tracker/${id}/config`,
    payload: JSON.stringify({
      unique_id: id,
      name: null,
      source_type: 'gps',
      json_attributes_topic: topic,
      json_attributes_template: `{{ {${attributes.join(', ')}, 'gps_accuracy': value_json.data.accuracy | default(0)} | tojson }}`,
      device: { identifiers: [id], name: device, manufacturer: 'Fleetgate' },
      origin: { name: 'Fleetgate' },
    }),
  };
}
